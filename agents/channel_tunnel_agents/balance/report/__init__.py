"""The balance report: one HTML page that shows whether a ruleset is fair, and why.

game          what a game says of itself; games: which games
contents      what the page of each game shows
settings      what is played and measured
measurements  the measurements besides the games, kept so that a stopped report resumes
base          the base game, played beside it by the same agents
growing       what is known after every measurement, and what is still open
evidence      all of it together, as input of the sections
unused        what could have occurred and never did
verdict       the answer in a few sentences
plain         the answer for somebody who knows no statistics, before everything else
front         one file per section of the first page
sections      one file per section: evidence -> tables, charts and sentences
page          the parts of a section, and their data
drawing       charts as SVG for light and dark pages
render        the page as HTML
tables        the page for more than two seats
build         runs all steps in order
stored        a page as a small file, painted again without the games
"""
