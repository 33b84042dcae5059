"""Fettle inside FreeCAD."""
