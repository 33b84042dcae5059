"""What runs in those children, and what they hand back."""
