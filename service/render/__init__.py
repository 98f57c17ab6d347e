"""Pixels only: a device posed, lit and painted on a plate, a screenshot composed with it, and effects.

`tests/test_rooms.py` lists the rooms in order. The modules here are shared by several of them.
"""
