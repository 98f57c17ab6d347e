"""The compiled kernels, compared with plain reference implementations and with known results."""
