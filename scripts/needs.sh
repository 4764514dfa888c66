# SPDX-License-Identifier: MIT
# Sourced by the other scripts: goes to the project's folder and installs what the machine lacks.

cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

say() { printf '\n== %s\n' "$*"; }

fail() {
  printf '%s\n' "$*" >&2
  exit 1
}

# add_packages PACKAGE…: Debian packages, as root or with sudo; else says what to run.
add_packages() {
  local line="apt-get update && apt-get install -y --no-install-recommends $*"
  if ! command -v apt-get >/dev/null; then
    fail "Please install what Debian calls: $*"
  elif [ "$(id -u)" -eq 0 ]; then
    say "installing $*"
    DEBIAN_FRONTEND=noninteractive sh -c "$line" >/dev/null || fail "apt-get failed: $line"
  elif sudo -n true 2>/dev/null; then
    say "installing $* with sudo"
    sudo DEBIAN_FRONTEND=noninteractive sh -c "$line" >/dev/null || fail "apt-get failed: $line"
  else
    fail "Missing: $*. Please run:  sudo sh -c '$line'"
  fi
}

command -v swift >/dev/null || fail "Swift 6.2 or newer is needed: https://www.swift.org/install"

missing=()
# macOS has SQLite's header in its SDK.
if [ "$(uname)" = Linux ] && [ -z "$(find /usr/include /usr/local/include -maxdepth 2 -name sqlite3.h 2>/dev/null)" ]; then
  missing+=(libsqlite3-dev)
fi
# ensurepip is what Debian leaves out of its Python.
if [ "${NEEDS_PYTHON-}" ] && ! python3 -c 'import ensurepip, venv' 2>/dev/null; then
  missing+=(python3-venv)
fi
[ ${#missing[@]} -eq 0 ] || add_packages "${missing[@]}"
