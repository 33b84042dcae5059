"""Reports: HTML and PDF."""
