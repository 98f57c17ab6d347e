"""A screenshot and settings in, an encoded picture out."""
