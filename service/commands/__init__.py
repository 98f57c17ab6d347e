"""The commands of the console script; `service/cli.py` assembles them."""
