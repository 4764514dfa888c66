# SPDX-License-Identifier: MIT
# Installs the released command VERSION into FOLDER and puts it on the path of the steps that follow. The archive
# must have the SHA-256 in CHECKSUM; where that is empty, the one that the release's own SHA256SUMS names. With
# PROVENANCE=true GitHub must also attest that the project's release workflow built it. RELEASES is where releases
# are: a mirror of yours, or the project.
set -euo pipefail
case $(uname -s)-$(uname -m) in
  Linux-x86_64) system=linux-x86_64 ;;
  Linux-aarch64 | Linux-arm64) system=linux-aarch64 ;;
  Darwin-*) system=macos-universal ;;
  *)
    echo "there is no released adal2msal for $(uname -sm); build it from source" >&2
    exit 69
    ;;
esac
archive=adal2msal-$VERSION-$system.tar.gz
mkdir -p "$FOLDER"
cd "$FOLDER"
get() { curl --fail --silent --show-error --location --retry 3 --output "$1" "$RELEASES/v$VERSION/$1"; }
get "$archive"
if [ -z "$CHECKSUM" ]; then
  get SHA256SUMS
  CHECKSUM=$(awk -v name="$archive" '$2 == name { print $1 }' SHA256SUMS)
fi
if command -v sha256sum >/dev/null; then sums=(sha256sum); else sums=(shasum -a 256); fi
if ! printf '%s  %s\n' "$CHECKSUM" "$archive" | "${sums[@]}" -c - >/dev/null 2>&1; then
  echo "$archive does not have the SHA-256 '$CHECKSUM', but $("${sums[@]}" <"$archive" | cut -d' ' -f1)" >&2
  rm -f "$archive"
  exit 65
fi
if [ "$PROVENANCE" = true ]; then gh attestation verify "$archive" --repo adal2msal/adal2msal; fi
tar -xzf "$archive" --strip-components 1
rm -f "$archive"
echo "adal2msal $(./bin/adal2msal --version), SHA-256 of the archive $CHECKSUM"
if [ -n "${GITHUB_PATH-}" ]; then
  echo "$FOLDER/bin" >>"$GITHUB_PATH"
else
  echo "##vso[task.prependpath]$FOLDER/bin"
fi
