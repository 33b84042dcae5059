"""Random parts whose features are known because their cuts are: test data for recognition."""
