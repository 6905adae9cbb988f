"""The code generator: Jinja templates, and the Python that feeds them.

Every choice is made in Python; a template only prints.
"""

from btmodel_codegen.files import differences, write
from btmodel_codegen.targets import DEFAULTS, TARGETS, generate

__all__ = ["DEFAULTS", "TARGETS", "differences", "generate", "write"]
