"""What rules read in descriptions: only what is said of the rows themselves."""

import pytest
from attrs import evolve
from designs import blind_07, blind_07_08_good, blind_08
from harmless_sentences import SENTENCES

import btmodel as bt
from btmodel.lint import Level, review_all
from btmodel.schema import ModelSchema

PLACES = (blind_07_08_good, blind_07, blind_08)


def models_of(name: str) -> list[ModelSchema]:
    """The schemas of the design that is called so."""
    declare = next(vars(place)[name] for place in PLACES if name in vars(place))
    made = declare()
    return [bt.schema_of(model) for model in (made if isinstance(made, tuple) else (made,))]


# Of a model of pictures, it may speak of the rows.
KNOWN = {"Pictures are kept in the bucket for ten years."}


@pytest.mark.parametrize(("name", "model"), SENTENCES, ids="-".join)
def test_what_is_said_of_other_things_is_no_fault(name: str, model: str) -> None:
    """One sentence after the other is put behind the description of a good design, and stays without an error or a warning."""
    models = models_of(name)
    told = []
    for sentence in SENTENCES[name, model]:
        if sentence in KNOWN:
            continue
        at = next((at for at, one in enumerate(models) if one.name == model), 0)
        changed = [
            evolve(one, doc=f"{one.doc.rstrip()} {sentence}") if place == at else one
            for place, one in enumerate(models)
        ]
        told += [(sentence, each.rule) for each in review_all(changed) if each.level is not Level.INFO]
    assert told == []
