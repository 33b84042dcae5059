"""Algebra of planes, cylinders, cones, spheres and tori: encoding as rows of numbers, projection, frames, fits."""
