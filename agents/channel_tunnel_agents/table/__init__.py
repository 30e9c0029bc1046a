"""The table in the browser: play, watch, replay and analyse games on one page (`channel-tunnel table`).

    serve -> design -> web -> rooms -> minds -> errors

Each imports only what is to its right; `tests/agents/test_layering.py` holds it.

- serve: from the command line to a running server, and its end
- design: the page where a ruleset's numbers are changed
- web: connections, guard: limits and time-outs; host, key and form of a request; server: routes
- rooms: requests: valid requests; offers: rulesets and agents that may be chosen; rooms: the games, which can be replayed from their start; room: one game,
  who may see it, what can be taken back; phase_room, drafts: a game in phases and what is written there;
  storage: one file per game, written before a move is answered; views: what one seat is sent, and what the rulebook says of the table; people: who is there, and who gave up;
  judged: which decisions are
- minds: levels: the rivals from Beginner to Expert; players, agent_process: agents in processes that can be killed;
  analysis, review: what they say of a position, and of a move that was made
- errors: refusals as a sentence with a status; lines of the log
- static: the page, plain JavaScript

A request goes connections -> guard -> server -> rooms -> room -> Game. What a game shows and says comes from its own
folder (`channel_tunnel_env.faces.table`). Every response is made for one viewer: a seat whose token the tab holds, or
the public.
"""
