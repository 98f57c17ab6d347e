"""What strangers and users can do to a server on this machine, each within bounds of its own."""
