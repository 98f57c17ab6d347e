"""Films: a recording, or a still, on a device that moves."""
