"""How a part would be made: stock, operations with times, and what is bought. Knows no money."""
