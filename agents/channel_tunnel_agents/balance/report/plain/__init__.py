"""The answer for somebody who knows no statistics: words and pictures, before everything else on the page.

    parts        what it is made of: coins, bars, changes to try
    players      what the agents are called, and what to know of them
    since        from which player on it is unfair
    answer       all of it, from the evidence
    open_answer  what is said where the games cannot tell
    trying       the changes that help

It says nothing that the sections below it do not: they are folded under "How we know".
"""
