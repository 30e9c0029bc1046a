"""Shaft Bluff: dig a card face down, announce a depth, be believed or checked.

engine/constants -> engine/state -> legality -> transition -> setup, determinize, observation, invariants -> kernels
ruleset -> engine/tables
"""
