"""What every game draws with: pieces of SVG, pixels by resvg, films by Pillow. Knows no game."""
