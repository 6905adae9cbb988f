"""Who or what writes the events of a table, and what events have in common again and again, by names and descriptions."""

import re

from btmodel.design.attribute_words import GENERIC, singular
from btmodel.design.hints import sentences
from btmodel.design.personal_names import PEOPLE
from btmodel.schema import ModelSchema
from btmodel.words import words

# What measures, sends or does something again and again, by the last word of its name.
_SOURCES = PEOPLE | frozenset(
    words(
        "sensor gauge meter device machine probe thermometer barometer detector logger station beacon tracker camera scanner reader gateway node host server pod vm instance container "
        "robot press lathe mill loom printer turnstile conveyor crane welder vehicle truck bus car van taxi train tram ship vessel aircraft drone scooter bike turbine pump valve boiler "
        "inverter battery charger transformer substation elevator lift escalator terminal till kiosk atm router switch modem antenna satellite buoy well tank silo reactor furnace oven "
        "farm shop store site plant factory warehouse depot hotel room house building school clinic hospital ward branch canteen restaurant field greenhouse mine port airport bridge road lane "
        "driver rider courier agent account card wallet phone handset app service job worker writer source producer publisher sender author channel account"
    )
)
# What describes an event, and is the same in many of them.
_RECURRING = frozenset(
    words(
        "state status stage phase step kind type category class classification level grade rank tier mode method reason cause result outcome verdict decision severity priority "
        "title subject note comment text description label caption name message remark colour color size shape style finish flavour flavor taste unit currency language locale lang country "
        "genre song track album artist meal dish menu course recipe drink weather mood season crop variety breed species sex gender brand make model version firmware release edition "
        "role action verb operation event weekday format encoding protocol scheme payment_method tariff plan discount rating score feedback tone topic theme section chapter medium direction"
    )
)
# What a source does, in the third person.
_DOES = r"(?:measures?|sends?|reports?|records?|logs?|writes?|takes|emits?|publishes|publish|transmits?|delivers?|counts|senses|samples|posts?|submits?|makes)"


def _last(name: str) -> str:
    core = [word for word in words(name) if word.lower() not in GENERIC] or words(name)
    return singular(core[-1]) if core else ""


def called_source(name: str) -> bool:
    """Whether a name is that of what writes events again and again, such as ``gauge`` and ``sensor_id``."""
    return _last(name) in _SOURCES


def writes(model: ModelSchema, name: str) -> bool:
    """Whether ``name`` is that of what writes the events, by itself, or because the description says that it measures or sends them."""
    if called_source(name):
        return True
    one = _last(name)
    known = [sentence for sentence in sentences(model.doc) if one and one in sentence.lower()]
    said = re.compile(rf"(?i)\b(?:an?|each|every|the|its) (?:\w+ )?`?{re.escape(one)}`? (?:\w+ly )?{_DOES}\b")
    return any(said.search(sentence) for sentence in known)


def recurring(name: str) -> bool:
    """Whether a name is that of what describes an event, and is the same in many of them, such as ``state`` and ``song``."""
    return [word.lower() for word in words(name)][-1:] == [_last(name)] and _last(name) in _RECURRING
