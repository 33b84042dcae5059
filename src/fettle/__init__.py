"""Fettle: what a part is, whether it can be made, and what it costs."""

__version__ = "0.1.0"
