"""The radiance of surfaces: environments, reflectance, shading, and the colours of parts."""
