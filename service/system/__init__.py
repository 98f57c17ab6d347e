"""Limits set by the operating system, and how memory is allocated and released."""
