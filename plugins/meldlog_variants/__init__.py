"""The rummy variants that come with Meldlog, each a plugin of its own that sees only the contracts."""
