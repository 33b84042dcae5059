"""Segmentation: triangles grouped into faces with fitted surfaces, and the edges between them."""
