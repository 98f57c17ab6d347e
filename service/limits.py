"""Sizes of pictures that hold where the configuration says nothing else."""

MAX_PIXELS = 40_000_000  # of a screenshot, and of a picture
MAX_SIDE = 16_384  # pixels of a screenshot's longer side
QUERY_PARAMETERS = 32
MOST_PIXELS = 100_000
