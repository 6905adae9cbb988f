"""Write the descriptors of the Bigtable API, as the installed clients know them, into the server package.

The server must start in half a second, and importing google.cloud.bigtable alone takes longer, so the server
reads this file instead. Run it after an upgrade of google-cloud-bigtable; a test compares the two.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from google.auth.credentials import AnonymousCredentials
from google.cloud.bigtable_admin_v2.services.bigtable_instance_admin.transports import (
    BigtableInstanceAdminGrpcTransport,
)
from google.cloud.bigtable_admin_v2.services.bigtable_table_admin.transports import (
    BigtableTableAdminGrpcTransport,
)
from google.cloud.bigtable_v2.services.bigtable.transports import BigtableGrpcTransport
from google.iam.v1 import iam_policy_pb2
from google.longrunning import operations_pb2
from google.protobuf import any_pb2, descriptor_pb2, duration_pb2, field_mask_pb2, wrappers_pb2
from google.protobuf.descriptor import Descriptor, FileDescriptor

TARGET = Path(__file__).parents[1] / "src" / "btmodel" / "server" / "descriptors.binpb"
EXTRA = (any_pb2.Any, duration_pb2.Duration, field_mask_pb2.FieldMask, wrappers_pb2.BytesValue)
TRANSPORTS = (BigtableGrpcTransport, BigtableTableAdminGrpcTransport, BigtableInstanceAdminGrpcTransport)


class _Recorder:
    """A channel that notes which methods a transport asks for, and their message types."""

    def __init__(self) -> None:
        self.methods: dict[str, tuple[Descriptor, Descriptor, bool]] = {}

    def unary_unary(self, path: str, **kinds: Any) -> Any:
        return self._note(path, kinds, False)

    def unary_stream(self, path: str, **kinds: Any) -> Any:
        return self._note(path, kinds, True)

    def _note(self, path: str, kinds: dict[str, Any], streams: bool) -> Any:
        request = _descriptor(kinds["request_serializer"], path)
        self.methods[path] = (request, _descriptor(kinds["response_deserializer"], path), streams)
        return lambda *_, **__: None


def _descriptor(function: Any, path: str) -> Descriptor:
    """The message that a serializer or a deserializer of a transport is for."""
    owner = getattr(function, "__self__", None)
    if owner is None:  # the serializer of a plain protobuf class does not know its class: only IAM's are so
        owner = getattr(iam_policy_pb2, path.rsplit("/", 1)[1] + "Request")
    message = owner.pb(owner()) if hasattr(owner, "pb") else owner
    descriptor: Descriptor = message.DESCRIPTOR
    return descriptor


def _methods() -> dict[str, tuple[Descriptor, Descriptor, bool]]:
    """Every method of every service, by its path: the request, the response, whether it streams."""
    recorder = _Recorder()
    for kind in TRANSPORTS:
        transport: Any = kind(credentials=AnonymousCredentials())  # type: ignore[no-untyped-call]
        transport._logged_channel = recorder
        transport._stubs.clear()
        for name, member in vars(kind).items():
            if isinstance(member, property) and name != "operations_client":
                getattr(transport, name)
    methods = dict(recorder.methods)
    for method in operations_pb2.DESCRIPTOR.services_by_name["Operations"].methods:
        path = f"/google.longrunning.Operations/{method.name}"
        methods[path] = (method.input_type, method.output_type, False)
    return dict(sorted(methods.items()))


def _gather(file: FileDescriptor, files: dict[str, FileDescriptor]) -> None:
    """Add a file to *files*, after the files that it imports."""
    if file.name not in files:
        for imported in sorted(file.dependencies, key=lambda each: each.name):
            _gather(imported, files)
        files[file.name] = file


def _services(methods: dict[str, tuple[Descriptor, Descriptor, bool]]) -> list[Any]:
    """One made-up file a package that declares the services, which the clients' own files do not."""
    made: dict[str, Any] = {}
    for path, (request, response, streams) in methods.items():
        package, name = path.split("/")[1].rsplit(".", 1)
        file = made.setdefault(
            package,
            descriptor_pb2.FileDescriptorProto(name=f"{package}.services.proto", package=package),
        )
        service = next((s for s in file.service if s.name == name), None) or file.service.add(name=name)
        service.method.add(
            name=path.rsplit("/", 1)[1],
            input_type="." + request.full_name,
            output_type="." + response.full_name,
            server_streaming=streams,
        )
        for used in (request.file.name, response.file.name):
            if used not in file.dependency:
                file.dependency.append(used)
    return list(made.values())


def descriptors() -> bytes:
    """The serialized FileDescriptorSet: messages first, then the services."""
    methods = _methods()
    files: dict[str, FileDescriptor] = {}
    for request, response, _ in methods.values():
        _gather(request.file, files)
        _gather(response.file, files)
    for message in EXTRA:
        _gather(message.DESCRIPTOR.file, files)
    result = descriptor_pb2.FileDescriptorSet()
    for name in files:
        proto = result.file.add()
        files[name].CopyToProto(proto)
        proto.dependency.sort()  # the clients' own order changes from run to run
        del proto.service[:]  # declared below, for all alike
        _drop_options(proto)
    result.file.extend(_services(methods))
    return result.SerializeToString(deterministic=True)


def _drop_options(proto: Any) -> None:
    """Forget the custom options: they need extensions that nothing here reads."""
    proto.ClearField("options")


if __name__ == "__main__":
    TARGET.write_bytes(descriptors())
    print(f"{TARGET}: {TARGET.stat().st_size} bytes")
