"""What outlives a release and what outsiders may import: cards, commands, events, the table, and the hooks."""
