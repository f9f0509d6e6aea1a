"""The prompts of the READMEs and of the book print what they say."""

import doctest
import re
from pathlib import Path

import pytest

ROOTS = Path(__file__).resolve().parents
PAGES = [page for folder in ROOTS for page in (folder / "README.md", *sorted(folder.glob("docs/book/src/*.md"))) if page.is_file()]
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def prompts(page: Path) -> str:
    """The blocks of a page that begin with a prompt, which share their names."""
    return "\n".join(re.findall(r"^```python\n(>>> .*?)^```$", page.read_text(encoding="utf-8"), re.M | re.S))


def test_there_are_prompts() -> None:
    assert {page.name for page in PAGES if prompts(page)} >= {"README.md", "python.md", "runs.md"}


@pytest.mark.parametrize("page", [page for page in PAGES if prompts(page)], ids=lambda page: page.name)
def test_prompts_print_what_the_page_says(page: Path) -> None:
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    runner.run(doctest.DocTestParser().get_doctest(prompts(page), {}, page.name, str(page), 0))
    assert runner.failures == 0
