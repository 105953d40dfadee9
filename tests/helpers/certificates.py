"""Certificates for tests of TLS: each authority is one that no system knows."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import trustme

from server.net.tls import certificate_fingerprint


@dataclass(frozen=True)
class Files:
    """A server's certificate and key, and the authority that signed it."""

    certificate: Path
    key: Path
    authority: Path

    @property
    def fingerprint(self) -> str:
        return certificate_fingerprint(self.certificate)


def made(folder: Path, *names: str, ends: datetime | None = None) -> Files:
    """New files in that folder, instead of those that are there, for a server of these names. `ends` is in UTC; None:
    in many years."""
    folder.mkdir(exist_ok=True)
    authority = trustme.CA(key_type=trustme.KeyType.ECDSA)
    certificate = authority.issue_cert(*(names or ("127.0.0.1",)), key_type=trustme.KeyType.ECDSA, not_after=ends)
    files = Files(folder / "certificate.pem", folder / "key.pem", folder / "authority.pem")
    certificate.private_key_pem.write_to_path(str(files.key))
    files.certificate.write_bytes(b"".join(blob.bytes() for blob in certificate.cert_chain_pems))
    authority.cert_pem.write_to_path(str(files.authority))
    return files
