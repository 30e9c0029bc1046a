"""What a game shows and says to people: in the browser, in the terminal, in its rulebook; the mechanism, of any game."""
