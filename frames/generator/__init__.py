"""Draws the device frames: `python -m frames.generator [ids…]` writes the folders `frames/<id>/`."""
