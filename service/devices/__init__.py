"""Devices: their records, and the families and descriptions that construct them. No pixels."""
