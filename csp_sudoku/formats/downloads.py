"""Downloads: a puzzle that a link only names is fetched from its site, if the caller asks so."""

from __future__ import annotations

import re
import time
from html import unescape
from http.client import HTTPException, HTTPResponse
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urljoin, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from csp_sudoku.errors import FormatError
from csp_sudoku.formats import fpuzzles, sudokupad
from csp_sudoku.formats.links import clean, may_be_id
from csp_sudoku.formats.sources import MAX_BYTES, decode
from csp_sudoku.formats.texts.shapes import shown

#: Servers that stand for sites, such as one for tests: ``{"sudokupad.app": "http://[::1]:8000"}``.
#: All other sites are asked by https only.
STAND_INS: dict[str, str] = {}

# The sites that are asked, and those that they may lead to.
_SITES = re.compile(
    r"(.+\.)?(sudokuwiki\.org|sudokupad\.app|crackingthecryptic\.com|f-puzzles\.com|tinyurl\.com)"
)
_SECONDS = 20.0
_CHUNK = 2**16
_REDIRECTS = 5
_REDIRECTED = (301, 302, 303, 307, 308)

# A link with a puzzle in it. A mere grid on a page may belong to any rules, so it is not taken.
_HOLDS_PUZZLE = r"(?:[?&#](?:load|puzzle|q|bd)=|/(?:scl|ctc|fpuz|scf|classic))[^\s\"'<>]{8,}"
_LINK = re.compile(rf"https://[^\s\"'<>]*?{_HOLDS_PUZZLE}")


def resolve(text: str) -> str:
    """The text of the puzzle that a link or a short id names; other texts come back unchanged."""
    link = clean(text)
    address = _address(link)
    if address is None:
        return text
    found = fetch(address)
    return found if not found.startswith("<") else _on_page(found, address)


def _address(link: str) -> str | None:
    """Where the puzzle is that a link names; None for a link that holds it, and for other texts."""
    if may_be_id(link):
        return sudokupad.address_of(link)
    if (name := sudokupad.short_id(link)) is not None:
        return sudokupad.address_of(name)
    if (name := fpuzzles.short_id(link)) is not None:
        return f"https://tinyurl.com/{quote(name, safe='')}"
    site = urlsplit(link).hostname if link.startswith("https://") else None
    if site is None or not _SITES.fullmatch(site) or _LINK.fullmatch(link):
        return None
    return link


def fetch(address: str) -> str:
    """The text at an address; if this leads on to a link that holds a puzzle, the link."""
    deadline = time.monotonic() + _SECONDS
    for _ in range(_REDIRECTS + 1):
        response = _ask(address, deadline)
        with response:
            if response.status not in _REDIRECTED:
                return decode(_body(response, address, deadline), address).strip()
            leads_to = urljoin(address, response.headers.get("Location") or "")
        if _LINK.fullmatch(leads_to):
            return leads_to
        address = leads_to
    raise FormatError(f"{shown(address)} leads from one address to the next without an end")


def _ask(address: str, deadline: float) -> HTTPResponse:
    parts = urlsplit(address)
    site = parts.hostname or ""
    if parts.scheme != "https" or not _SITES.fullmatch(site):
        raise FormatError(f"{shown(address)} is not downloaded: it is not one of the known sites")
    if site in STAND_INS:
        address = STAND_INS[site] + address.partition(parts.netloc)[2]
    request = Request(address, headers={"User-Agent": "csp-sudoku"})
    try:
        found: HTTPResponse = build_opener(_NoRedirect).open(request, timeout=_left(deadline))
    except HTTPError as error:
        error.close()
        raise FormatError(f"{shown(site)} answers: {error.code} {error.reason}") from None
    except (URLError, OSError, HTTPException, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        raise FormatError(f"{shown(site)} cannot be reached: {reason}") from None
    return found


class _NoRedirect(HTTPRedirectHandler):
    """Hands out a redirection, so that its address is looked at before it is asked."""

    def http_error_302(self, req: Request, fp: Any, code: int, msg: str, headers: Any) -> Any:
        return fp

    http_error_301 = http_error_303 = http_error_307 = http_error_308 = http_error_302


def _body(response: HTTPResponse, address: str, deadline: float) -> bytes:
    """The bytes of an answer, a few more than are allowed at most."""
    found = b""
    try:
        while len(found) <= MAX_BYTES and (chunk := response.read(_CHUNK)):
            found += chunk
            _left(deadline)
        if response.length and len(found) <= MAX_BYTES:
            raise FormatError(f"{shown(address)} breaks off: {response.length} bytes are missing")
    except (OSError, HTTPException) as error:
        raise FormatError(f"{shown(address)} breaks off: {error}") from None
    return found


def _left(deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise FormatError(f"the download took longer than {_SECONDS:g} seconds")
    return left


def _on_page(page: str, address: str) -> str:
    """The only link on a web page that holds a puzzle."""
    words = dict.fromkeys(re.split(r"[\s\"'<>]+", page))
    found = [unescape(word) for word in words if re.search(_HOLDS_PUZZLE, word)]
    if len(found) != 1:
        number = f"{len(found)} puzzles are" if found else "no puzzle is"
        raise FormatError(f"{number} on the page {shown(address)}; one is needed")
    return urljoin(address, found[0])
