"""The rules, a file each, whose docstring is the rule's page in the form that :mod:`btmodel.lint.rule` reads.

Nothing is imported here: a class that is declared loads only the rules of :mod:`btmodel.lint.refusal`.
"""
