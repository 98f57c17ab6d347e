"""What the commands of the console script do; `service/cli.py` puts them together."""
