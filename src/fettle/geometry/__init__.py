"""Bytes to `Part` and `Mesh`: plain data, and the only home of the geometry kernel."""
