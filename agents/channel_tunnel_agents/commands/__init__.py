"""The commands of `channel-tunnel` that need agents; `train.py` and `evaluate.py` run two of these modules.

May import everything.
"""
