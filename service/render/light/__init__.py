"""Radiance of a surface: environments, reflectance, shading, and the colours of parts."""
