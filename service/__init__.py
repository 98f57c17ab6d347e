"""Device mockups: a screenshot and settings in, a picture of it on a device out."""

__version__ = "1.0.0"
