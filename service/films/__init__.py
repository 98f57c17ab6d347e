"""Films: a moving device that shows a recording or a still picture."""
