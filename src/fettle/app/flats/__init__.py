"""The flat pattern for people and machines: its record, DXF and SVG."""
