"""Who may do what and how much of it: accounts, keys, sessions, meters, plans."""
