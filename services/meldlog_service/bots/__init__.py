"""Strategies that choose a command from nothing but a seat's view and its legal moves."""
