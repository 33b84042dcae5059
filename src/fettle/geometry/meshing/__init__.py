"""Welding and refinement of meshes, without the kernel."""
