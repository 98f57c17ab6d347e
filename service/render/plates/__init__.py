"""Plates: everything that does not depend on the screenshot, which is the backdrop with the body composited
over it."""
