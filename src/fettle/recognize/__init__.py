"""A `Part` to features: every face a role, every feature its dimensions."""
