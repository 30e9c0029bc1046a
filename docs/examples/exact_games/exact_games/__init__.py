"""Small games with published values, for two: what one seat wins, the other loses.

common -> kuhn, leduc, liars_dice
"""
