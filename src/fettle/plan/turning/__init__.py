"""Plans of turned parts: bar, cuts along the profile, and driven tools."""
