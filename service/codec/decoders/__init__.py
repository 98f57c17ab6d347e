"""One decoder a format: checked bytes to pixels."""
