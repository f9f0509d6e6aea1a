"""The command line: ``hemiola`` and ``python -m hemiola``."""

from __future__ import annotations

import sys

from ._hemiola import command_line


def main() -> int:
    """Runs the command line with the arguments of the process.

    Returns the exit code: 0 success, 1 a claim or check failed, 2 invalid usage or input, 130 interrupted.
    """
    return command_line(["hemiola", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
