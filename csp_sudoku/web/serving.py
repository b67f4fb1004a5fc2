"""The page of ``csp-sudoku serve``: its files, and a WebSocket for what it asks."""

from __future__ import annotations

import json
from collections.abc import Callable
from html import escape
from http import HTTPStatus
from importlib.resources import files
from typing import Any

from csp_sudoku.web import asking
from csp_sudoku.web.listening import Say, run_server

PORT = 4546

_KINDS = {"html": "text/html", "js": "text/javascript", "css": "text/css"}
# Nothing from elsewhere is loaded, and no other page may show this one.
_POLICY = (
    "default-src 'self'; img-src data:; style-src 'self' 'unsafe-inline'; connect-src ws: 'self'; "
    "frame-ancestors 'none'"
)


async def serve(
    port: int = PORT,
    *,
    seconds: float | None = None,
    say: Say = lambda text: None,
    ready: Callable[[int], None] = lambda port: None,
) -> None:
    """Serve the page on this machine until the task is cancelled."""
    origins = [f"http://{host}:{port}" for host in ("localhost", "127.0.0.1")]
    await run_server(
        lambda: asking.answers,
        port,
        origins=origins,
        seconds=seconds,
        say=say,
        ready=ready,
        process_request=_file,
    )


def _file(connection: Any, request: Any) -> Any:
    """Answer a plain request with a file; None for a request to open a socket."""
    from websockets.datastructures import Headers
    from websockets.http11 import Response

    if request.headers.get("Upgrade"):
        return None
    found = _content(request.path.partition("?")[0])
    status, kind, body = found or (HTTPStatus.NOT_FOUND, "text/plain", b"there is no such page\n")
    headers = Headers(
        {
            "Content-Type": f"{kind}; charset=utf-8",
            "Content-Length": str(len(body)),
            "Content-Security-Policy": _POLICY,
            "Cache-Control": "no-store",
            "Connection": "close",
        }
    )
    return Response(status.value, status.phrase, headers, body)


def _content(path: str) -> tuple[HTTPStatus, str, bytes] | None:
    homes = {
        "/": ("web", "page.html"),
        "/page.js": ("web", "page.js"),
        "/page.css": ("web", "page.css"),
        "/player.js": ("watching", "player.js"),
        "/player.css": ("watching", "player.css"),
    }
    if path not in homes:
        return None
    package, name = homes[path]
    body = (files(f"csp_sudoku.{package}") / name).read_text(encoding="utf-8")
    if name == "page.html":
        body = body.replace("{{examples}}", escape(json.dumps(asking.examples())))
    return HTTPStatus.OK, _KINDS[name.rpartition(".")[2]], body.encode()
