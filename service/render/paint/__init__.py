"""A device painted on a canvas, slab by slab."""
