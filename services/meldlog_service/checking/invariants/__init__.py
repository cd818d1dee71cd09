"""The promises, a module for each kind. Each function looks at one thing and raises `Broken` where it is not so."""
