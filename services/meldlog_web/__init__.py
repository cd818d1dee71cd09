"""The web table and the replay viewer: files served as they are, speaking only HTTP."""
