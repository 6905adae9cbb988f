"""The published designs: each module that stands here adds some to the table of ``published``, and those that are ``blind`` are of people who had not read the rules."""

from importlib import import_module
from pkgutil import iter_modules

MODULES = tuple(import_module(f"{__name__}.{found.name}") for found in iter_modules(__path__))
