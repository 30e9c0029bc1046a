"""What the game shows and says: at the table, in the terminal, in pictures, in its rulebook and its lesson."""
