"""What a model is, in words: what ``btmodel show`` and the generated pages both say of it."""
