"""Bytes and pixels: the only room that knows file formats."""
