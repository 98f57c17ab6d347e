"""Processes that are forked rather than started, and the messages that they pass in shared memory."""
