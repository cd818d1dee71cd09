"""What is done with a log: handling commands, following them live, auditing and archiving them."""
