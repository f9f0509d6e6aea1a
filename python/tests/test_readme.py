"""The prompts of the README print what it says."""

import doctest
import re
from pathlib import Path


def test_prompts_print_what_the_readme_says() -> None:
    pages = [folder / "README.md" for folder in Path(__file__).resolve().parents]
    texts = [page.read_text() for page in pages if page.is_file()]
    blocks = [block for text in texts for block in re.findall(r"^```python\n(>>> .*?)^```$", text, re.M | re.S)]
    assert blocks, f"no prompts in {[str(page) for page in pages]}"
    runner = doctest.DocTestRunner()
    for block in blocks:
        runner.run(doctest.DocTestParser().get_doctest(block, {}, "README.md", "README.md", 0))
    assert runner.failures == 0
