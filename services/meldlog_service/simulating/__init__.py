"""Many games by bots, played by the core alone: planned, played, summed up, and kept if somebody wants them kept."""
