"""`python -m client` is `magehall`."""

from client.cli import main

if __name__ == "__main__":
    main()
