"""Attacks that strangers and users can make on a server on this machine, each with bounds of its own."""
