"""What the tolerances of a file mean: grades of ISO 286, texts of call-outs, and a check against the model."""
