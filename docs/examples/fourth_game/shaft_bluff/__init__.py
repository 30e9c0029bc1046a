"""Shaft Bluff: dig a card face down, announce a depth, be believed or checked.

ruleset, constants -> state -> rules -> observation, invariants -> kernels -> spec
"""
