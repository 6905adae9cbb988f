"""What decides how a protobuf message is written, entry by entry: what is recorded of it."""

from typing import Any


def message_entries(message: Any) -> tuple[str, ...]:
    """The fields of the message of this descriptor, and of those inside: ``shop.Order 1 int64 id = 0``."""
    entries: list[str] = []
    met = {message.full_name}
    waiting = [message]
    while waiting:
        one = waiting.pop()
        for field in one.fields:
            inside = field.message_type or field.enum_type
            entries.append(f"{one.full_name} {field.number} {_kind(field)} {field.name}{_default(field)}")
            if inside is None or inside.full_name in met:
                continue
            met.add(inside.full_name)
            if field.message_type is not None:
                waiting.append(inside)
            else:
                entries += [f"{inside.full_name}.{value.name} = {value.number}" for value in inside.values]
    return tuple(sorted(entries))


def _kind(field: Any) -> str:
    inside = field.message_type or field.enum_type
    if inside is not None:
        kind = inside.full_name
    else:
        names = (name for name in dir(type(field)) if name.startswith("TYPE_"))
        kind = (
            next(name for name in names if getattr(field, name) == field.type).removeprefix("TYPE_").lower()
        )
    return f"repeated {kind}" if _is(field, "repeated") else kind


def _default(field: Any) -> str:
    """What is read where the field is absent; nothing where it must not be."""
    if _is(field, "required"):
        return ""
    if _is(field, "repeated") or field.message_type is not None:
        return " = nothing"
    return f" = {field.default_value!r}"


def _is(field: Any, label: str) -> bool:
    """Whether the field has this label, which versions of protobuf before 6 say by its number."""
    said = getattr(field, f"is_{label}", None)
    return bool(field.label == getattr(field, f"LABEL_{label.upper()}") if said is None else said)
