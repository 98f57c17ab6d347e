"""Films: how quickly they are made, in how much memory, how true, beside what else, and against a browser."""
