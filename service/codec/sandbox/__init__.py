"""Untrusted pictures are decoded in disposable processes that can do nothing else."""
