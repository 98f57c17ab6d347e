"""The checks that all input shares: groups of members, colours, names, and the texts of errors."""
