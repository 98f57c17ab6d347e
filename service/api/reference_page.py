"""Generates the reference page: a viewer of the OpenAPI document, and a fallback without scripts."""

from __future__ import annotations

import json
from html import escape
from typing import Any

from .reference import rows

# Nothing is loaded from or sent to other hosts, nor is the key kept.
_VIEWER = {
    "url": "/openapi.json",
    "withDefaultFonts": False,
    "telemetry": False,
    "agent": {"disabled": True},
    "mcp": {"disabled": True},
    "hideClientButton": True,
    "showDeveloperTools": "never",
    "persistAuth": False,
    "authentication": {"preferredSecurityScheme": "key"},
    "defaultHttpClient": {"targetKey": "shell", "clientKey": "curl"},
}
_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 64rem; margin: 3rem auto; padding: 0 1rem }
h2 { font-size: 1.05rem; margin: 2rem 0 .3rem; overflow-wrap: anywhere } code { font-size: .92em }
table { border-collapse: collapse; width: 100%; margin: .5rem 0 } p { margin: .3rem 0 }
td, th { text-align: left; vertical-align: top; padding: .25rem .6rem .25rem 0 }
td, th { border-bottom: 1px solid #8884 }
.method { background: #2456d6; color: #fff; border-radius: 4px; padding: .1rem .45rem; margin-right: .4rem }
:root { color-scheme: light dark }
"""


def html(document: dict[str, Any]) -> str:
    """The page: Scalar's viewer, or without scripts the OpenAPI `document` and the settings as tables."""
    info = document["info"]
    operations = [
        _operation(method, path, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<link rel="icon" href="/studio/-/icon.svg">'
        f"<title>{escape(info['title'])}</title><noscript><style>{_STYLE}</style></noscript><body>"
        f'<script id="api-reference" data-configuration="{escape(json.dumps(_VIEWER))}"></script>'
        '<script src="/docs/viewer.js" defer></script><noscript>'
        f"<h1>{escape(info['title'])} {escape(info['version'])}</h1><p>{escape(info['description'])} "
        'For machines: <a href="/openapi.json">openapi.json</a>.</p>'
        f"{''.join(operations)}<h2>Settings</h2>"
        f"{_table(('Member of settings', 'Takes', 'Default', 'Meaning'), rows())}</noscript></html>"
    )


def _operation(method: str, path: str, operation: dict[str, Any]) -> str:
    key = " Needs an API key." if "security" in operation else ""
    responses = [(status, entry["description"]) for status, entry in operation["responses"].items()]
    return (
        f'<h2><span class="method">{method.upper()}</span><code>{escape(path)}</code></h2>'
        f"<p>{escape(operation['summary'])}.{key}</p>{_table(('Status', 'When'), responses)}"
    )


def _table(head: tuple[str, ...], body: list[Any]) -> str:
    titles = "".join(f"<th>{escape(title)}</th>" for title in head)
    lines = ["<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in row) + "</tr>" for row in body]
    return f"<table><tr>{titles}</tr>{''.join(lines)}</table>"
