"""What a release needs beside the code: the run-time part of the lock, licenses, bill of materials, API changes."""
