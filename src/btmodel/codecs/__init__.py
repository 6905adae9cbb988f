"""Codecs: a Python value to bytes and back. Nothing here knows of models or tables.

``key`` holds the codecs of row-key fields, ``cell`` those of cell values.
"""
