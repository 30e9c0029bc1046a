"""Eurotunnel Diplomacy: the standard game for seven powers, with secret tunnels and written orders.

board (data, what follows from it), actions (ids and names) -> ruleset -> engine/tables
engine/constants -> state -> tunnels, passage -> legality, orders -> resolution -> movement, retreats, winter
    -> year -> transition -> setup, determinize, refusals -> kernels
notation (orders as text) -> positions (readable values) -> adjudicate (a whole phase)
explain -> spec (what the core must know) -> game; report, render (what a power may see)
"""
