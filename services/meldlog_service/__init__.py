"""The Meldlog service: an event-sourced table for rummy games, judged by plugins and kept in a log."""
