"""The rules. To add one: a file, and a line in the table of what it looks at.

The docstring of a rule's file is the rule's page, in the form that :mod:`btmodel.lint.rule`
reads; a test runs the two examples of every page.
"""

from collections.abc import Sequence
from typing import Any

from btmodel.lint.rule import Allowances, Rule
from btmodel.lint.rules import (
    alw001_no_reason,
    alw002_unknown_rule,
    alw003_needless_allowance,
    alw004_allowed_limit,
    col001_long_qualifier,
    col002_duplicate_qualifier,
    col003_too_many_columns,
    col004_tiny_cells,
    col005_versions_as_series,
    col006_read_modify_write_counter,
    col007_uncertain_queries,
    fam001_too_many_families,
    fam002_family_name,
    fam003_long_family_name,
    fam004_no_gc_rule,
    fam005_mixed_retention,
    fam006_gc_drops_events,
    fam007_mixed_aggregate,
    fam008_gc_rule,
    fam009_two_gc_rules,
    fig001_missing_figure,
    fig002_contradicting_figures,
    key001_timestamp_first,
    key002_sequential_id_first,
    key003_low_cardinality_before_time,
    key004_hashed_field,
    key005_salted_key,
    key006_binary_field,
    key007_unpadded_number,
    key008_ambiguous_boundary,
    key009_key_too_long,
    key010_personal_data,
    key011_domain_not_reversed,
    key012_few_domains,
    key013_hot_row,
    key014_needless_reversal,
    key015_missed_reversal,
    key016_fine_before_coarse,
    key017_colliding_events,
    key018_tenant_not_first,
    key019_delimiter_order,
    key020_delimiter_within,
    qry001_full_scan,
    qry002_many_families,
    qry003_filter_inside_blob,
    qry004_salted_fan_out,
    qry005_reads_too_much,
    qry006_not_self_sufficient,
    qry007_unknown_partner,
    row001_cell_too_large,
    row002_row_too_large,
    row003_unbounded_row,
    row004_split_entity,
    row005_mutated_series,
    row006_coarse_or_fine_bucket,
    row007_scattered_entities,
    tab001_too_many_tables,
    tab002_table_per_value,
    tab003_similar_tables,
    tab004_unrelated_data,
    tab005_overlapping_keys,
    tab006_table_name,
)
from btmodel.schema import ModelSchema

# Each looks at one model.
MODEL_RULES: tuple[Rule[ModelSchema], ...] = (
    key001_timestamp_first.RULE,
    key002_sequential_id_first.RULE,
    key003_low_cardinality_before_time.RULE,
    key004_hashed_field.RULE,
    key005_salted_key.RULE,
    key006_binary_field.RULE,
    key007_unpadded_number.RULE,
    key008_ambiguous_boundary.RULE,
    key009_key_too_long.RULE,
    key010_personal_data.RULE,
    key011_domain_not_reversed.RULE,
    key012_few_domains.RULE,
    key013_hot_row.RULE,
    key014_needless_reversal.RULE,
    key015_missed_reversal.RULE,
    key016_fine_before_coarse.RULE,
    key017_colliding_events.RULE,
    key018_tenant_not_first.RULE,
    key019_delimiter_order.RULE,
    key020_delimiter_within.RULE,
    qry002_many_families.RULE,
    qry003_filter_inside_blob.RULE,
    qry004_salted_fan_out.RULE,
    qry005_reads_too_much.RULE,
    fam002_family_name.RULE,
    fam003_long_family_name.RULE,
    fam004_no_gc_rule.RULE,
    fam005_mixed_retention.RULE,
    fam006_gc_drops_events.RULE,
    fam007_mixed_aggregate.RULE,
    fam008_gc_rule.RULE,
    col001_long_qualifier.RULE,
    col002_duplicate_qualifier.RULE,
    col003_too_many_columns.RULE,
    col004_tiny_cells.RULE,
    col005_versions_as_series.RULE,
    col006_read_modify_write_counter.RULE,
    col007_uncertain_queries.RULE,
    row001_cell_too_large.RULE,
    row002_row_too_large.RULE,
    row003_unbounded_row.RULE,
    row005_mutated_series.RULE,
    row006_coarse_or_fine_bucket.RULE,
    tab006_table_name.RULE,
    fig002_contradicting_figures.RULE,
)

# Each looks at one model, too, but only when a project is checked: no class is told so when it is made.
CHECK_RULES: tuple[Rule[ModelSchema], ...] = (fig001_missing_figure.RULE,)

# Each looks at all models together, or at one as if it were alone.
TOGETHER_RULES: tuple[Rule[Sequence[ModelSchema]], ...] = (
    qry001_full_scan.RULE,
    qry006_not_self_sufficient.RULE,
    qry007_unknown_partner.RULE,
    fam001_too_many_families.RULE,
    fam009_two_gc_rules.RULE,
    row004_split_entity.RULE,
    row007_scattered_entities.RULE,
    tab001_too_many_tables.RULE,
    tab002_table_per_value.RULE,
    tab003_similar_tables.RULE,
    tab004_unrelated_data.RULE,
    tab005_overlapping_keys.RULE,
)

# Each looks at the allowances of one model, and at what they meet.
ALLOWANCE_RULES: tuple[Rule[Allowances], ...] = (
    alw001_no_reason.RULE,
    alw002_unknown_rule.RULE,
    alw003_needless_allowance.RULE,
    alw004_allowed_limit.RULE,
)

RULES: tuple[Rule[Any], ...] = (*MODEL_RULES, *CHECK_RULES, *TOGETHER_RULES, *ALLOWANCE_RULES)
