"""`python -m service` is the console script `mockup`."""

from service.cli import main

if __name__ == "__main__":
    main()
