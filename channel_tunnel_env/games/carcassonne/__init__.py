"""Carcassonne with *The Tunnel*: the base game of 72 tiles and the mini expansion of four tunnel tiles.

tiles (data, geometry) -> ruleset -> engine/tables
engine/constants -> state -> board -> legality, scoring -> transition -> setup, determinize
"""
