"""Processes that are forked, not started, and what they hand each other in shared memory."""
