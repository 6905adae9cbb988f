"""The design of row keys: what a key serves, where its writes go, and the key that would be better.

Here are the names that rules need where they have found something: a model that passes loads none of these modules.
"""

from typing import TYPE_CHECKING

from btmodel.on_demand import load_on_demand

if not TYPE_CHECKING:
    __getattr__, __dir__, __all__ = load_on_demand(
        __name__,
        {
            "btmodel.design.advice": "change failing_that led_to served",
            "btmodel.design.candidates": "digits_in_front salt_of_field",
            "btmodel.design.encodings": "backwards reversed_digits scatters sortable",
            "btmodel.design.keys": "salt_declaration",
            "btmodel.design.unhashed": "asking given giving",
            "btmodel.design.proposal": "proposals proposed serves",
            "btmodel.design.second_tables": "unkept",
            "btmodel.design.related_tables": "identity",
        },
    )
else:  # written by codegen/public_names.py
    from btmodel.design.advice import change as change
    from btmodel.design.advice import failing_that as failing_that
    from btmodel.design.advice import led_to as led_to
    from btmodel.design.advice import served as served
    from btmodel.design.candidates import digits_in_front as digits_in_front
    from btmodel.design.candidates import salt_of_field as salt_of_field
    from btmodel.design.encodings import backwards as backwards
    from btmodel.design.encodings import reversed_digits as reversed_digits
    from btmodel.design.encodings import scatters as scatters
    from btmodel.design.encodings import sortable as sortable
    from btmodel.design.keys import salt_declaration as salt_declaration
    from btmodel.design.proposal import proposals as proposals
    from btmodel.design.proposal import proposed as proposed
    from btmodel.design.proposal import serves as serves
    from btmodel.design.related_tables import identity as identity
    from btmodel.design.second_tables import unkept as unkept
    from btmodel.design.unhashed import asking as asking
    from btmodel.design.unhashed import given as given
    from btmodel.design.unhashed import giving as giving
