"""One Eyed Jacks, a variant for Meldlog."""
