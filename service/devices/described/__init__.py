"""Devices by description: measurements in a request become a sheet, and its family makes the device."""
