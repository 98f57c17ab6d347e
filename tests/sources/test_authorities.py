"""Whether the machine has certificate authorities, in a file or in a folder."""

from __future__ import annotations

import ssl
from pathlib import Path
from types import SimpleNamespace

import pytest

from service.sources import authorities


@pytest.mark.parametrize(
    ("loaded", "file", "expected"),
    [(3, None, "bundle.pem"), (0, "0a1b2c3d.0", "folder"), (0, "readme.txt", ""), (0, None, "")],
)
def test_certificate_authorities_are_found(
    loaded: int, file: str | None, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if file:
        (tmp_path / file).touch()
    paths = SimpleNamespace(cafile="bundle.pem", openssl_cafile="other.pem", capath=str(tmp_path))
    context = SimpleNamespace(cert_store_stats=lambda: {"x509_ca": loaded})
    monkeypatch.setattr(ssl, "get_default_verify_paths", lambda: paths)
    monkeypatch.setattr(ssl, "create_default_context", lambda: context)
    assert authorities.found() == (str(tmp_path) if expected == "folder" else expected)


def test_authorities_are_found_without_a_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    paths = SimpleNamespace(cafile=None, openssl_cafile="other.pem", capath=None)
    monkeypatch.setattr(ssl, "get_default_verify_paths", lambda: paths)
    for loaded, expected in ((0, ""), (1, "other.pem")):
        context = SimpleNamespace(cert_store_stats=lambda loaded=loaded: {"x509_ca": loaded})
        monkeypatch.setattr(ssl, "create_default_context", lambda context=context: context)
        assert authorities.found() == expected
