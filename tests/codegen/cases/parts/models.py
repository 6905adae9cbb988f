"""A table with authorized views, and a schema bundle of the messages of two models."""

from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

import btmodel as bt

_POOL = descriptor_pool.DescriptorPool()


def _message(file: str, name: str, fields: dict[str, str], *imports: str) -> Any:
    """The class of a message of text fields, and of other messages, in a file of its own: well-known ones differ between versions."""
    made = descriptor_pb2.FileDescriptorProto(name=file, package="shop", syntax="proto3", dependency=imports)
    message = made.message_type.add(name=name)
    for number, (field, kind) in enumerate(fields.items(), 1):
        message.field.add(
            name=field,
            number=number,
            label=1,
            type=11 if kind else 9,
            type_name=f".shop.{kind}" if kind else None,
        )
    _POOL.Add(made)
    return message_factory.GetMessageClass(_POOL.FindMessageTypeByName(f"shop.{name}"))


Place = _message("shop/place.proto", "Place", {"street": "", "city": ""})
Source = _message("shop/source.proto", "Source", {"program": "", "place": "Place"}, "shop/place.proto")


class Order(
    bt.Model,
    table=bt.table(
        "ORDER",
        authorized_views=[
            bt.authorized_view("ACME", where={"tenant": "acme"}, deletion_protection=True),
            bt.authorized_view(
                "SUPPORT",
                where={"tenant": ["acme", "b\N{LATIN SMALL LETTER E WITH ACUTE}ta"]},
                only=["status", "notes"],
            ),
            bt.authorized_view("EVERYTHING", deletion_protection=False),
        ],
        schema_bundle="MESSAGES",
    ),
    events="20/s",
):
    """An order of a tenant."""

    tenant: str = bt.key(bt.Text(max_length=20), cardinality=1_000)
    id: str = bt.key(bt.HexDigest(16), cardinality=10_000_000)

    f = bt.family("f", gc=bt.max_versions(1))
    n = bt.family("n", gc=bt.max_versions(1))
    status: str = bt.column("status", f)
    cents: int | None = bt.column("cents", f, default=None)
    written: Any = bt.column("written", f, codec=bt.Protobuf(Source), default=None)
    notes: dict[str, str] = bt.mapping(n, bt.Text(max_length=20), prefix="n:", entries=10)


class Shipment(bt.Model, table="ORDER", events="1/s"):
    """Where an order is."""

    tenant: str = bt.key(bt.Text(max_length=20), cardinality=1_000)
    order: str = bt.key(bt.HexDigest(16), cardinality=10_000_000)
    kind = bt.constant("shipment")

    f = bt.family("f", gc=bt.max_versions(1))
    at: Any = bt.column("at", f, codec=bt.Protobuf(Place))
