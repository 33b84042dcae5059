"""One module for each file format that is read; each declares its rows of the table of formats as `READERS`."""
