"""Measurements of Meldlog on the machine they run on: `make bench`."""
