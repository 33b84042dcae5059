"""Product and manufacturing information (PMI) of a part file: dimensions, tolerances, datums and notes."""
