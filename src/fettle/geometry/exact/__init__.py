"""Exact figures of faces in plain numpy: integrals, splines, fits."""
