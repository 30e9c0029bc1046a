"""The balance report: one HTML page that shows whether a ruleset is fair, and why, for any number of seats.

game          what a game says of itself at a table, and what its page shows
settings      what is played and measured
measurements  the measurements besides the games, kept so that a stopped report resumes
base          the base game, played beside it by the same agents
evidence      all that is known, as input of the sections
growing       what is known after every measurement, and what is still open
headline      fair or not, in a few words
plain         the answer for somebody who knows no statistics, before everything else
beside, levers, seats, meetings, course, tension, luck, games
              evidence -> tables, charts and sentences of a section
provenance    where the numbers come from
records       the games that the page names
page          the parts of a section, and their data
drawing       charts as SVG for light and dark pages
render        the page as HTML
build         runs all steps in order
stored        a page as a small file, painted again without the games
"""
