"""Two revisions of a part, compared."""
