"""Accounts, API keys, dashboard sessions, meters and plans."""
