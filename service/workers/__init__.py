"""Renderers: processes that make pictures, one per CPU, and share their plates."""
