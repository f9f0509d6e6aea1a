"""Executes notebooks from an empty kernel, and fails where a cell does.

    python execute.py NOTEBOOK… [--write]

--write keeps the outputs in the files.
"""

import pathlib
import sys
import tempfile

import nbformat
from nbclient import NotebookClient


def main(arguments):
    write = "--write" in arguments
    for path in (pathlib.Path(argument) for argument in arguments if argument != "--write"):
        notebook = nbformat.read(path, as_version=4)
        # What notebooks save is theirs.
        with tempfile.TemporaryDirectory() as folder:
            NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": folder}}).execute()
        if write:
            for cell in notebook.cells:
                cell.metadata.pop("execution", None)
            notebook.metadata = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
            nbformat.write(notebook, path)
        print(f"{path}: {sum(cell.cell_type == 'code' for cell in notebook.cells)} cells")


if __name__ == "__main__":
    main(sys.argv[1:])
