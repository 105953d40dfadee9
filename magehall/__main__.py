"""The command `magehall`, also as `python -m magehall`."""

from client.cli.app import main

if __name__ == "__main__":
    main()
