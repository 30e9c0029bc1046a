"""The generated pages of the reference, each written from the live objects it describes."""
