"""Exact measures of faces in plain numpy: integrals, splines, fits."""
