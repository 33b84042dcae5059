"""Facts of a body with one dimension changed: what savings are computed from. One module for each family."""
