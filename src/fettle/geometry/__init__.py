"""Files to `Part` and `Mesh`, which are plain data; the only package that imports the geometry kernel."""
