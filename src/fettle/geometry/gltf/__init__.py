"""glTF 2.0: reading and writing."""
