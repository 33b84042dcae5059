"""Numbers at every point of the mesh: thickness, clearance, draft, pull, access."""
