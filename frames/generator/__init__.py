"""Draws the device frames: `python -m frames.generator [ids…]` writes `frames/<id>/`, device file and layers."""
