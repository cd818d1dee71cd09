"""What authors of other people's variants begin with: a whole package, written from the files in ``templates``."""
