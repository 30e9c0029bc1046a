"""What comes in from outside and goes out: files, documents, the terminal, progress, hints."""
