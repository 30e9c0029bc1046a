"""The table in the browser: play, watch, replay and analyse games on one page (`channel-tunnel table`).

    connections -> guard -> server -> rooms -> room -> Game
                             |         |-> storage (a file per game, written before a move is answered)
                             |-> requests (what may be asked), views (what one seat may see), analysis, rules
                             |-> players -> agent_process (agents in processes that can be ended)

Everything that is sent is made for one viewer: a seat that the tab holds a token of, or the public.
"""
