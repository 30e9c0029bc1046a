"""The package's version; `.ci/release.py` and the build read it from this file."""

__version__ = "0.1.0"
