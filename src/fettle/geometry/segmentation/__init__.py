"""Bare triangles become faces and edges."""
