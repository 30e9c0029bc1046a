"""The table in the browser: play, watch, replay and analyse games on one page (`channel-tunnel table`).

    requests -> server -> rooms -> room -> Game
                  |         |-> storage (a file a game, written before a move is answered)
                  |-> views (what one seat may see), analysis, rules, players (agents off the event loop)

Everything that is sent is made for one viewer: a seat that the tab holds a token of, or the public.
"""
