"""Parts with one fault each, built by code, one module for each process: `CASES` is its list."""
