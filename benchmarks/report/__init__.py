"""The page of the documentation with every figure that we claim, `docs/benchmark.md`: see `make benchmark-report`."""
