"""Everything that calls the geometry kernel (OCP), but for readers of its own formats."""
