"""Finished games outside the store: compressed logs with an index, in a folder or at any fsspec URL."""
