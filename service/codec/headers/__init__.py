"""One parser a format: facts and checks from the bytes alone, in plain Python."""
