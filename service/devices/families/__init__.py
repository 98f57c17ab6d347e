"""Families of devices: from a sheet of measurements to a device, in memory or for the catalogue."""
