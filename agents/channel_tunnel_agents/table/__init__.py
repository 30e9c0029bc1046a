"""The table in the browser: play, watch, replay and analyse games on one page (`channel-tunnel table`).

    connections -> guard -> server -> rooms -> room -> Game

- connections, guard, logs: limits and time-outs; host, key and form of a request; lines of the log
- server, serve: routes; starting and ending the server
- requests, errors: valid requests; refusals as a sentence with a status
- rooms, room, history: the games; one game, who may see it, what can be taken back
- storage: one file per game, written before a move is answered
- views: what one seat is sent
- offers: rulesets and agents that may be chosen, and the levels from Beginner to Expert
- players, agent_process: agents in processes that can be killed
- analysis, review: what they say of a position, and of a move that was made
- design: the page where a ruleset's numbers are changed

What a game shows and says comes from its own folder (`channel_tunnel_env.faces.table`).
Every response is made for one viewer: a seat whose token the tab holds, or the public.
"""
