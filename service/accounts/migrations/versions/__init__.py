"""The steps of the history, a file each, in the order of their numbers."""
