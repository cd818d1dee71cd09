"""Where logs are kept: one protocol, and the stores that keep its promises."""
