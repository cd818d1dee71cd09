"""A small typed client of a Meldlog service, synchronous and asynchronous."""
