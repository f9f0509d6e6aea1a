"""Packages that are needed for one thing each, and imported when it is asked for."""

from __future__ import annotations

import importlib
from typing import Any


def optional(module: str, purpose: str) -> Any:
    """The module.

    Raises
    ------
    ImportError
        Names the package, and what it is needed for.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        if error.name is not None and error.name.partition(".")[0] != package:
            raise
        raise ImportError(f"{purpose} needs {package}: pip install {package}", name=package) from error
