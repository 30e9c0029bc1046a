"""The page for more than two seats: is any seat better off, which levers matter, what did the change do?

verdict   the answer in a few sentences
front     the first page: figures beside those of the base, levers
sections  below: the seats, agents against each other, the game in figures, how games end
build     from the games to the page
"""
