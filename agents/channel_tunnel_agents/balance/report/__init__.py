"""The balance report: one HTML page that shows whether a ruleset is fair, and why, for any number of seats.

game          what a game says of itself at a table
contents      what the page of each game shows
settings      what is played and measured
measurements  the measurements besides the games, kept so that a stopped report resumes
base          the base game, played beside it by the same agents
evidence      all that is known, as input of the sections
growing       what is known after every measurement, and what is still open
verdict       the headline of the answer
plain         the answer for somebody who knows no statistics, before everything else
front         the first page
sections      evidence -> tables, charts and sentences
page          the parts of a section, and their data
drawing       charts as SVG for light and dark pages
render        the page as HTML
build         runs all steps in order
stored        a page as a small file, painted again without the games
"""
