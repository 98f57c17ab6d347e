"""Encoders of films, one module for each way of writing a file."""
