"""The command `magehall`, also as `python -m magehall`."""

import sys

INTERRUPTED = 130  # the exit code after Ctrl-C


def main() -> None:
    """The console script. Ctrl-C ends it quietly while the rest of it is still being loaded, too."""
    try:
        from client.cli.app import main as run

        run()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    main()
