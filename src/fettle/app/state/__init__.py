"""What lasts: the database, the files beside it, and how bytes get in."""
