"""The meldlog command line."""
