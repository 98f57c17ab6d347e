"""From bytes to pixels and back: the only package that knows file formats."""
