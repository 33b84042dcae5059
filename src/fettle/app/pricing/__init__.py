"""Prices of analyzed parts by any process, from what their results hold."""
