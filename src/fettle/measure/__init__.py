"""Fields measured at every mesh point: wall thickness, clearance, draft, overhang, visibility; pull and access."""
