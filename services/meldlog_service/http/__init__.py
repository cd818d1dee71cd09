"""The HTTP contract: the one layer that knows the web framework."""
