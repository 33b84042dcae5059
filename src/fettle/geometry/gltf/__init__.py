"""glTF in and out."""
