"""One encoder a format: pixels to bytes."""
