"""`render --manifest`: many pictures from a file that lists them, resumed after a crash."""
