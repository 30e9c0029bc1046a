"""Small games solved exactly: their whole tree, its value, equilibria and best responses.

tree (every decision and every outcome of luck) -> solving (values, also of hidden information, and best responses)
"""
