"""Small games solved exactly: their whole tree, its value, equilibria and best responses.

tree (every decision and every outcome of luck) -> solving (values, best responses) and equilibrium (hidden information)
"""
