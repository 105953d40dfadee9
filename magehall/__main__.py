"""The entry point of the command `magehall`, also as `python -m magehall`."""

import sys

INTERRUPTED = 130  # the exit code after Ctrl-C, by convention


def main() -> None:
    """Runs the console script. Ctrl-C ends it without a traceback, even while its modules are being imported."""
    try:
        from client.cli.app import main as run

        run()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    main()
