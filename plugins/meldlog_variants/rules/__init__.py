"""Small rule plugins, each for one house rule or one family of them."""
