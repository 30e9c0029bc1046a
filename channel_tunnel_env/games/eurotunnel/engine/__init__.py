"""The rules of Eurotunnel Diplomacy over one numpy record per game, compiled by numba.

    constants -> state -> tunnels, passage -> legality, orders -> resolution -> movement, winter
        -> year -> transition -> setup, determinize, refusals -> kernels

A province, a location (a province or one of two coasts) and a power are small numbers; the tables hold
what the board says of them. Orders are action ids, one for each province with a unit.
"""
