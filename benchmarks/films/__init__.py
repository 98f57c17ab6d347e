"""Films: speed, memory, fidelity, effect on pictures made meanwhile, and comparison with a browser."""
