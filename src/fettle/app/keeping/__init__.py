"""What is kept, for how long, and how it is saved: the sweep, deletion of accounts, backup and restore."""
