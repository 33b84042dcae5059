"""Turned parts: the axis, the profile in (z, r), and the features of the lathe and of its live tools."""
