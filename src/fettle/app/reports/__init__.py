"""Reports worth sending: HTML, PDF, and their pictures."""
