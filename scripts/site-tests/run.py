"""Tests a built site in headless Chromium. Run by scripts/test-site."""

import base64
import functools
import http.server
import pathlib
import re
import sys
import tempfile
import threading
import urllib.parse

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select

SITE, SHOTS, AXE = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]).read_text()
# One page of each kind: its name among the screenshots, and whether our code writes its markup (mdbook writes that of the book).
PAGES = {
    "index.html": ("front", True),
    "methods/index.html": ("methods", True),
    "methods/rk4.html": ("single", True),
    "methods/hemiola-4-8.html": ("pair", True),
    "methods/gauss-3.html": ("implicit", True),
    "methods/ars-2-2-2.html": ("imex", True),
    "comparisons/index.html": ("comparisons", True),
    "comparisons/explicit-pairs-of-order-4.html": ("comparison", True),
    "book/first-pair.html": ("book-first-pair", False),
    "book/coupled-profile.html": ("book-profile", False),
}
WIDTHS = {"wide": 1200, "phone": 390}
LONGEST_SHOT = 4000


def main():
    broken = broken_links()
    assert not broken, f"broken links: {broken[:10]}"
    with Served() as base, Chromium() as browser:
        for path, (name, is_ours) in PAGES.items():
            for theme in ("light", "dark"):
                for label, width in WIDTHS.items():
                    visit(browser, base + path, width, theme)
                    overflow = browser.execute_script("return document.documentElement.scrollWidth") - width
                    assert overflow <= 0, f"{path}: {overflow} px wider than {width} px"
                    screenshot(browser, SHOTS / f"{name}-{theme}-{label}.png", width)
                    if is_ours:
                        assert_accessible(browser, path, theme, label)
                    assert_silent(browser, path)
        filters(browser, base)
        sorts(browser, base)
        state(browser, base)
        assert_silent(browser, "methods/index.html")
    print(f"{len(PAGES)} kinds of pages in 2 themes and {len(WIDTHS)} widths: no errors, no violations")


class Served:
    """Server of the site on a free port."""

    def __enter__(self):
        handler = functools.partial(Quiet, directory=SITE)
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{self.server.server_port}/"

    def __exit__(self, *_):
        self.server.shutdown()


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


class Chromium:
    """A browser with an empty profile."""

    FLAGS = "headless no-sandbox disable-gpu disable-quic no-first-run disable-background-networking disable-component-update disable-sync"

    def __enter__(self):
        options = Options()
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        for flag in self.FLAGS.split():
            options.add_argument(f"--{flag}")
        options.add_argument(f"--user-data-dir={self.profile.name}")
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.browser = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
        self.browser.set_script_timeout(120)
        return self.browser

    def __exit__(self, *_):
        self.browser.quit()
        self.profile.cleanup()


def visit(browser, address, width=1200, theme="light"):
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    features = [{"name": "prefers-color-scheme", "value": theme}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    browser.get(address)
    # Images below the fold load only on scrolling, but screenshots show all of them.
    browser.execute_async_script(
        "const done = arguments[0]; const images = [...document.images]; images.forEach(image => { image.loading = 'eager'; });"
        "Promise.all(images.map(image => image.decode().catch(() => {}))).then(() => done());"
    )
    missing = browser.execute_script("return [...document.images].filter(image => !image.naturalWidth).map(image => image.src)")
    assert not missing, f"{address}: images that do not load: {missing}"


def screenshot(browser, file, width):
    height = min(browser.execute_script("return document.documentElement.scrollHeight"), LONGEST_SHOT)
    clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
    shot = browser.execute_cdp_cmd("Page.captureScreenshot", {"captureBeyondViewport": True, "clip": clip})
    file.write_bytes(base64.b64decode(shot["data"]))


def assert_accessible(browser, *where):
    browser.execute_script(AXE)
    found = browser.execute_async_script("const done = arguments[0]; axe.run(document).then(result => done(result.violations));")
    texts = [f"{one['id']}: {one['help']}: {[node['html'][:160] for node in one['nodes'][:3]]}" for one in found]
    assert not found, f"{where}: " + "\n".join(texts)


def assert_silent(browser, path):
    messages = [entry["message"] for entry in browser.get_log("browser")]
    assert not messages, f"{path}: {messages}"


def shown(browser):
    """Returns the ids of the visible rows."""
    return browser.execute_script("return [...document.querySelectorAll('#methods tbody tr')].filter(row => !row.hidden).map(row => row.dataset.id)")


def filters(browser, base):
    visit(browser, base + "methods/index.html")
    everything = shown(browser)
    kind = Select(browser.find_element(By.NAME, "kind"))
    kind.select_by_value("imex")
    imex = shown(browser)
    kinds = [browser.find_element(By.CSS_SELECTOR, f"tr[data-id='{id}']").get_attribute("data-kinds").split() for id in imex]
    assert 0 < len(imex) < len(everything) and all("imex" in one for one in kinds), imex
    kind.select_by_value("")
    for name, value in {"order": "4", "stages": "4", "imaginary": "2.8"}.items():
        browser.find_element(By.NAME, name).send_keys(value)
    some = shown(browser)
    assert "rk4" in some and "gauss-2" in some and "heun-2" not in some and "hemiola-4-8" not in some, some
    status = browser.find_element(By.ID, "shown").text
    assert status == f"{len(some)} of {len(everything)} methods", status
    browser.find_element(By.CSS_SELECTOR, "#filters button").click()
    browser.execute_async_script("setTimeout(arguments[0])")
    assert shown(browser) == everything
    browser.find_element(By.NAME, "words").send_keys("dormand 5(4)")
    assert shown(browser) == ["dormand-prince-5"], shown(browser)


def sorts(browser, base):
    visit(browser, base + "methods/index.html")
    head = browser.find_element(By.CSS_SELECTOR, "th[data-key='norm']")
    head.find_element(By.TAG_NAME, "button").click()
    norms = column(browser, "norm")
    assert norms == sorted(norms) and head.get_attribute("aria-sort") == "ascending"
    head.find_element(By.TAG_NAME, "button").click()
    assert column(browser, "norm") == sorted(norms, reverse=True) and head.get_attribute("aria-sort") == "descending"
    # Rows without a profile come last.
    browser.find_element(By.CSS_SELECTOR, "th[data-key='profile'] button").click()
    profiles = column(browser, "profile")
    known = [value for value in profiles if value is not None]
    assert known == sorted(known) and profiles[: len(known)] == known


def column(browser, key):
    script = "return [...document.querySelectorAll('#methods tbody tr')].map(row => row.dataset[arguments[0]] ?? null)"
    return [None if text is None else float(text) for text in browser.execute_script(script, key)]


def state(browser, base):
    """Checks that the address contains the filter, so that a link shows the same rows."""
    visit(browser, base + "methods/index.html?words=gauss&order=6")
    assert shown(browser) == ["gauss-3", "gauss-4"], shown(browser)


def broken_links():
    """Returns broken links of all pages of the site, including the book."""
    pages = {path.relative_to(SITE).as_posix(): path.read_text() for path in SITE.rglob("*.html")}
    anchors = {path: set(re.findall(r'\bid="([^"]+)"', text)) for path, text in pages.items()}
    return [(path, target) for path, text in pages.items() for target in links(text) if not leads_somewhere(path, target, anchors)]


def links(text):
    found = re.findall(r'<(?:a|link)\s[^>]*?href="([^"]+)"', text)
    return [target.replace("&amp;", "&") for target in found]


def leads_somewhere(page, target, anchors):
    address = urllib.parse.urlparse(target)
    if address.scheme or address.netloc:
        return True
    path = address.path or page.split("/")[-1]
    file = urllib.parse.unquote(urllib.parse.urljoin("/" + page, path)).lstrip("/")
    file += "index.html" if file == "" or file.endswith("/") else ""
    fragment = urllib.parse.unquote(address.fragment)
    is_anchor = not fragment or "=" in fragment or fragment in anchors.get(file, ())
    return (SITE / file).is_file() and is_anchor


main()
