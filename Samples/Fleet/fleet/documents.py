# SPDX-License-Identifier: MIT
"""A cache document for each home account id, as the distributed caches of MSAL keep them."""
from __future__ import annotations

import json
from collections.abc import Iterator

_SECTIONS = ("AccessToken", "RefreshToken", "IdToken", "Account")


def by_home(document: bytes) -> Iterator[tuple[str, bytes]]:
    """Each home account id of a document and the document of its entries, as `migrate --into-folder` makes them.

    Each entry is copied unchanged and exactly once, with the app metadata of its client. An entry without a home account
    id belongs to no account and is left out.
    """
    whole = json.loads(document)
    parts: dict[str, dict[str, dict[str, object]]] = {}
    clients: dict[str, set[tuple[str, str]]] = {}
    for section in _SECTIONS:
        for key, entry in whole.get(section, {}).items():
            home = entry.get("home_account_id")
            if home:
                parts.setdefault(home, {}).setdefault(section, {})[key] = entry
                clients.setdefault(home, set()).add(_client(entry))
    for home in sorted(parts):
        part = parts[home]
        metadata = {key: entry for key, entry in whole.get("AppMetadata", {}).items() if _client(entry) in clients[home]}
        if metadata:
            part["AppMetadata"] = metadata
        yield home, json.dumps(part, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()


def _client(entry: dict[str, str]) -> tuple[str, str]:
    return entry.get("environment", ""), entry.get("client_id", "")
