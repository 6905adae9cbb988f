"""Refusing a class as it is made, by the rules that can: only these are loaded where a model is declared."""

from collections.abc import Sequence
from typing import Any

from btmodel.errors import DeclarationError
from btmodel.lint.finding import Level
from btmodel.lint.rule import OF_VIEWS, Rule
from btmodel.lint.rules import (
    col001_long_qualifier,
    col002_duplicate_qualifier,
    fam001_too_many_families,
    fam002_family_name,
    fam004_no_gc_rule,
    fam005_mixed_retention,
    fam006_gc_drops_events,
    fam007_mixed_aggregate,
    fam008_gc_rule,
    fig002_contradicting_figures,
    key001_timestamp_first,
    key002_sequential_id_first,
    key003_low_cardinality_before_time,
    key007_unpadded_number,
    key008_ambiguous_boundary,
    key009_key_too_long,
    key013_hot_row,
    key017_colliding_events,
    key020_delimiter_within,
    key024_local_time,
    qry001_full_scan,
    qry003_filter_inside_blob,
    row001_cell_too_large,
    row002_row_too_large,
    row003_unbounded_row,
    tab006_table_name,
)
from btmodel.schema import ModelSchema
from btmodel.words import counted

# The rules with errors; those that only several models together can break are left out.
OF_ONE: tuple[Rule[ModelSchema], ...] = (
    key001_timestamp_first.RULE,
    key002_sequential_id_first.RULE,
    key003_low_cardinality_before_time.RULE,
    key007_unpadded_number.RULE,
    key008_ambiguous_boundary.RULE,
    key009_key_too_long.RULE,
    key013_hot_row.RULE,
    key017_colliding_events.RULE,
    key020_delimiter_within.RULE,
    key024_local_time.RULE,
    qry003_filter_inside_blob.RULE,
    fam002_family_name.RULE,
    fam004_no_gc_rule.RULE,
    fam005_mixed_retention.RULE,
    fam006_gc_drops_events.RULE,
    fam007_mixed_aggregate.RULE,
    fam008_gc_rule.RULE,
    col001_long_qualifier.RULE,
    col002_duplicate_qualifier.RULE,
    row001_cell_too_large.RULE,
    row002_row_too_large.RULE,
    row003_unbounded_row.RULE,
    tab006_table_name.RULE,
    fig002_contradicting_figures.RULE,
)
TOGETHER: tuple[Rule[Sequence[ModelSchema]], ...] = (qry001_full_scan.RULE, fam001_too_many_families.RULE)


def refuse(model: ModelSchema) -> None:
    """Raise one :class:`DeclarationError` that lists every error of ``model``, where there is one.

    The error's ``findings`` holds all findings, warnings included.
    """
    if not (model.allow or _has_errors(model)):
        return
    from btmodel.lint.run import errors, review  # here: it loads every rule

    findings = review(model)
    wrong = errors(findings)
    if not wrong:
        return
    count = counted(len(wrong), "error")
    listed = "\n".join(
        f"  {finding.place}: {finding.rule} {finding.name}: {finding.message}\n"
        f"    why:  {finding.why}\n"
        f"    fix:  {finding.fix}"
        for finding in wrong
    )
    raise DeclarationError(f"{model.name}: {count} in its declaration\n{listed}", findings)


def _is_of(rule: Rule[Any], model: ModelSchema) -> bool:
    return model.view is None or rule.id in OF_VIEWS


def _has_errors(model: ModelSchema) -> bool:
    alone = (finding for rule in OF_ONE if _is_of(rule, model) for finding in rule.check(model))
    together = (finding for rule in TOGETHER if _is_of(rule, model) for finding in rule.check((model,)))
    return any(finding.level is Level.ERROR for found in (alone, together) for finding in found)
