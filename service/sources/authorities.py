"""The machine's certificate authorities, without which no https server can be verified."""

from __future__ import annotations

import ssl
from pathlib import Path

MISSING = "no certificate authorities on this machine, https fetches will fail; install ca-certificates"


def found() -> str:
    """The path of the trusted authorities, or an empty string if there are none."""
    paths = ssl.get_default_verify_paths()
    if ssl.create_default_context().cert_store_stats()["x509_ca"]:
        return paths.cafile or paths.openssl_cafile
    # Certificates in a folder are loaded on demand; their files are named by hash.
    return paths.capath if paths.capath and any(Path(paths.capath).glob("*.[0-9]")) else ""
