"""What is measured in games of 1987 Channel Tunnel: what a card is worth, and how games begin.

card_effects    the same deals with a card given to a side, or withheld
openings        the first turns as a tree
"""
