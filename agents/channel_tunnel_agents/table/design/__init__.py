"""The designer's page (`/design`): edit a ruleset's numbers, play them, measure them, keep versions.

    routes -> workshop -> form, versions, reports, players, tunings, searches, comparison, sharing -> imports

- game: what a game says of itself here
- form: the fields of a ruleset, with ranges from its schema and sources from its files
- changes: changed fields as a ruleset and as the overlay file of a version
- versions: named overlay files in a folder, with every state in which they were saved
- imports, sharing: a file from somebody else, a page for somebody else
- comparison: two side by side
- players, tunings: who plays a draft best, what its players make of it, and a policy trained for it
- searches: numbers that meet a designer's targets
- reports: balance reports
- jobs, job_process: commands in the background, each in a process of its own
- workshop, routes: what the page may ask for, and where

The page exists only on a server that no other machine can reach.
"""
