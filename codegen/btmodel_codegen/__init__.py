"""The code generator: Jinja templates, and the Python that feeds them.

Every choice is made in Python; a template only prints.
"""

from btmodel_codegen.files import OutputChanges, compare, differences, write
from btmodel_codegen.project import project
from btmodel_codegen.targets import DEFAULTS, TARGETS, OutputTarget, generate, targets_of, targets_with

__all__ = [
    "DEFAULTS",
    "TARGETS",
    "OutputChanges",
    "OutputTarget",
    "compare",
    "differences",
    "generate",
    "project",
    "targets_of",
    "targets_with",
    "write",
]
