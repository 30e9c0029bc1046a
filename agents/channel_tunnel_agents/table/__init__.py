"""The table in the browser: play, watch, replay and analyse games on one page (`channel-tunnel table`).

    connections -> guard -> server -> rooms -> room -> Game
                             |         |-> storage (one file per game, written before a move is
                             answered) |-> requests (valid requests), views (what one seat may see),
                             analysis, rules |-> players -> agent_process (agents in processes that
                             can be killed)

Every response is made for one viewer: a seat whose token the tab holds, or the public.
"""
