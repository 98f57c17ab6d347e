"""Admission control: a fair queue, a budget of bytes in flight, and the division of memory."""
