"""Stored state: the database, the files beside it, and uploads."""
