"""Optional packages, imported when a feature that needs them is used."""

from __future__ import annotations

import importlib
from typing import Any


def optional(module: str, purpose: str) -> Any:
    """Imports and returns the module.

    Raises
    ------
    ImportError
        If the package is missing; the message names the package and the feature that needs it.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        if error.name is not None and error.name.partition(".")[0] != package:
            raise
        raise ImportError(f"{purpose} needs {package}: pip install {package}", name=package) from error
