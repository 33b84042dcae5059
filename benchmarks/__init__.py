"""Benchmarks of speed and of recognition, and the comparison of two versions' results."""
