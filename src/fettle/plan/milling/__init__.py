"""Plans of milled parts: stock, set-ups, and the operations of every feature."""
