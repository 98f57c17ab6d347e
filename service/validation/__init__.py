"""What all input is checked with: groups of members, colours, names, and the words of faults."""
