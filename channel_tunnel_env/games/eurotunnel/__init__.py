"""Eurotunnel Diplomacy: the standard game for seven powers, with secret tunnels and written orders.

board (data, what follows from it), actions (ids and names) -> ruleset -> engine/tables
engine/constants -> state -> tunnels, passage -> legality, orders -> resolution -> movement, retreats, winter
    -> year -> transition -> setup, determinize, refusals -> kernels
positions (readable values) -> explain -> notation (orders written out)
spelling (words, names, dashes) -> intent (what an order says) -> meaning (which action it is in a position)
    -> permissions, order_sheet (what all powers write) -> adjudicate (a whole phase); answers (what a player types)
spec (what the core must know) -> game; report, render (what a power may see)
"""
