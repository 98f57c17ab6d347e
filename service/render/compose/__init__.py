"""Composition: the screenshot is warped and composed with a plate, and effects are applied."""
