"""The commands of `train.py` and `evaluate.py`, which `channel-tunnel` has as well.

May import everything.
"""
