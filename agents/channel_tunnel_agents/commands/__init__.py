"""The commands of `train.py` and `evaluate.py`, also available under `channel-tunnel`.

May import everything.
"""
