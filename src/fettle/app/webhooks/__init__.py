"""Calls to addresses of our callers when a job has ended: kept in the database, signed, retried."""
