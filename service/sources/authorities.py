"""The certificate authorities of this machine, without which no https server can be believed."""

from __future__ import annotations

import ssl
from pathlib import Path

MISSING = "no certificate authorities on this machine, nothing is fetched by https; install ca-certificates"


def found() -> str:
    """Where the authorities are that TLS believes; empty when there are none."""
    paths = ssl.get_default_verify_paths()
    if ssl.create_default_context().cert_store_stats()["x509_ca"]:
        return paths.cafile or paths.openssl_cafile
    # Those in a folder are read one by one when they are needed, under the hashes of their names.
    return paths.capath if paths.capath and any(Path(paths.capath).glob("*.[0-9]")) else ""
