"""A real browser for the pages; the tests say so if there is none."""

import os
import shutil

import pytest

FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()


@pytest.fixture(scope="module")  # an open browser holds the event loop of its thread
def browser():
    """Chromium, by its own name or in the variable CHROMIUM."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    found = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    if found is None:
        pytest.skip("no Chromium is installed: the pages were not opened")
    with playwright.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=found, args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture
def page(browser):
    """An empty page; a test fails if a script on it does."""
    opened = browser.new_page(viewport={"width": 1100, "height": 800})
    faults = []
    opened.on("pageerror", lambda error: faults.append(str(error)))
    yield opened
    opened.close()
    assert not faults
