"""Screenshot and settings in, an encoded picture out; one thread at a time."""
