"""The former place of 1987's engine, kept for programs that import its constants and sections from here."""
