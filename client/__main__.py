"""`python -m client` is `magehall`."""

from client.cli.app import main

if __name__ == "__main__":
    main()
