# SPDX-License-Identifier: MIT
# Sourced by the other scripts: goes to the project's folder and installs what the machine lacks.

cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

say() { printf '\n== %s\n' "$*"; }

fail() {
  printf '%s\n' "$*" >&2
  exit 1
}

# add_packages PACKAGE…: installs Debian packages as root, or with sudo in CI or after a yes at the terminal; else prints
# the command to run.
add_packages() {
  local line="apt-get update && apt-get install -y --no-install-recommends $*"
  if ! command -v apt-get >/dev/null; then
    fail "Please install what Debian calls: $*"
  elif [ "$(id -u)" -eq 0 ]; then
    say "installing $*"
    DEBIAN_FRONTEND=noninteractive sh -c "$line" >/dev/null || fail "apt-get failed: $line"
  elif may_use_sudo "$line"; then
    say "installing $* with sudo"
    sudo DEBIAN_FRONTEND=noninteractive sh -c "$line" >/dev/null || fail "apt-get failed: $line"
  else
    fail "Missing: $*. Please run:  sudo sh -c '$line'"
  fi
}

# may_use_sudo LINE: whether sudo may run LINE. A sudo without a password does not count as a yes.
may_use_sudo() {
  command -v sudo >/dev/null || return 1
  if [ "${CI-}" = true ]; then
    sudo -n true 2>/dev/null
    return
  fi
  [ -t 0 ] && [ -t 2 ] || return 1
  local answer
  read -r -p "Run with sudo: $1 ? [y/N] " answer
  [ "$answer" = y ] || [ "$answer" = Y ]
}

# pin_packages OPTION…: has SwiftPM take the version of each package that Packaging/dependencies names, and no other
# revision under its name. OPTIONs are those of `swift package`.
pin_packages() {
  local name version revision
  while read -r name version revision; do
    swift package "$@" resolve "$name" --version "$version" >/dev/null || fail "$name $version cannot be resolved"
    grep -q "\"$revision\"" Package.resolved || fail "$name $version is not the revision $revision"
  done <Packaging/dependencies
}

# needs_swift MAJOR MINOR: an older compiler fails after minutes, with errors that do not name the reason.
needs_swift() {
  local found major minor rest
  command -v swift >/dev/null || fail "Swift $1.$2 or newer is needed: https://www.swift.org/install"
  found=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9][0-9.]*\).*/\1/p' | head -n 1)
  IFS=. read -r major minor rest <<<"$found"
  case ${major:-x}${minor:-x} in
  *x*) fail "Swift $1.$2 or newer is needed, and 'swift --version' does not tell the version" ;;
  esac
  if [ "$major" -lt "$1" ] || { [ "$major" -eq "$1" ] && [ "$minor" -lt "$2" ]; }; then
    fail "Swift $1.$2 or newer is needed, and $(command -v swift) is $found: https://www.swift.org/install
On a Mac, choose a newer Xcode: sudo xcode-select --switch /Applications/Xcode.app"
  fi
}
needs_swift 6 2

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

# The command as it is installed: a release that has Swift's library inside, so that it starts sooner and runs where
# there is no Swift (a Mac has the library). It has a folder of its own, so that no other build makes it build again. With a
# section for each function the linker leaves out what is never called, as Apple's does. Without mangled names the code
# makes generic types itself; the runtime would look up conformances for them, each time among all of the program.
# Without debug information it is smaller by a fifth and built in an eighth less time, and valgrind can read it.
shipped=(-c release --scratch-path .build/shipped)
[ "$(uname)" != Linux ] || shipped+=(-debug-info-format none --static-swift-stdlib -Xswiftc -Xfrontend -Xswiftc -function-sections
  -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors)

# build_command: builds that command, unless ADAL2MSAL names one, and has ADAL2MSAL name it.
build_command() {
  [ -z "${ADAL2MSAL-}" ] || return 0
  say "building adal2msal (the first time takes minutes)"
  mkdir -p .build
  swift build "${shipped[@]}" --product adal2msal >.build/shipped.log 2>&1 || {
    tail -n 40 .build/shipped.log >&2
    fail "the command does not build"
  }
  ADAL2MSAL=$(swift build "${shipped[@]}" --show-bin-path)/adal2msal
  export ADAL2MSAL
}

# optimized build|test ARGUMENT…: the package with its tests. Most libraries are optimized (Package.swift), with which the
# tests take a third of the time. The tests are not, since their build would take longer.
optimized() {
  local command=$1
  shift
  OPTIMIZED_FOR_TESTS=1 swift "$command" -c release -Xswiftc -enable-testing "$@"
}
