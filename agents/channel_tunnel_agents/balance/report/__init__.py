"""The balance report: one HTML page that says whether a ruleset is fair, and why.

settings      what is played and measured
measurements  the measurements beside the games, kept so that a stopped report goes on
evidence      all of it together, as the sections read it
sections      one file per section: evidence -> tables, charts and sentences
page          what a section is made of, and its data
drawing       charts as SVG for light and dark pages
render        the page as HTML
build         everything in order
"""
