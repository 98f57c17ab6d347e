"""Pixels only: posing, lighting and painting devices, and what happens to the finished picture."""
