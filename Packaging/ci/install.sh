# SPDX-License-Identifier: MIT
# Installs the released command VERSION into FOLDER and puts it on the path of the steps that follow. The archive
# must have the SHA-256 in CHECKSUM; where that is empty, the one that the release's own SHA256SUMS names, which
# proves the transport alone. With PROVENANCE=true GitHub must also attest that the project's release workflow built
# it for that version. RELEASES is where releases are, by https: a mirror of yours, or the project.
set -euo pipefail

# What ends it otherwise than well is an annotation and a line of the summary, and sets the status.
errors=$(mktemp)
exec 3>&2 2>"$errors"
finish() {
  local ended=$? message=
  message=$(tail -n 1 "$errors")
  cat "$errors" >&3
  rm -f "$errors"
  if [ "$ended" -eq 0 ]; then return; fi
  message=${message:-the script ended with status $ended}
  if [ -n "${GITHUB_OUTPUT-}" ]; then
    echo "status=$ended" >>"$GITHUB_OUTPUT"
    echo "::error title=adal2msal could not be installed::${message//%/%25}"
    printf '### adal2msal could not be installed\n\n    %s\n\n' "$message" >>"$GITHUB_STEP_SUMMARY"
  else
    echo "##vso[task.setvariable variable=adal2msal.status]$ended"
    echo "##vso[task.logissue type=error]adal2msal could not be installed: ${message//%/%AZP25}"
    printf '### adal2msal could not be installed\n\n    %s\n' "$message" >"$FOLDER.problem.md"
    echo "##vso[task.uploadsummary]$FOLDER.problem.md"
  fi
}
trap finish EXIT

refuse() {
  echo "$1" >&2
  exit 64
}

[[ $VERSION =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || refuse "the version must be three numbers, like 1.2.3"
[[ $CHECKSUM =~ ^([0-9a-f]{64})?$ ]] || refuse "the checksum must be 64 hexadecimal digits in lower case, or empty"
[[ $RELEASES =~ ^https://[^[:space:][:cntrl:]]+$ ]] || refuse "the place of the releases must begin with https://"
case $PROVENANCE in
  true | false) ;;
  *) refuse "provenance must be true or false" ;;
esac
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
get() {
  curl --fail --silent --show-error --location --retry 3 --proto =https --proto-redir =https --tlsv1.2 \
    --output "$1" "$RELEASES/v$VERSION/$1"
}
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
if [ "$PROVENANCE" = true ]; then
  gh attestation verify "$archive" --repo adal2msal/adal2msal \
    --signer-workflow adal2msal/adal2msal/.github/workflows/release.yml --source-ref "refs/tags/v$VERSION"
fi
rm -rf unpacked bin share
mkdir unpacked
tar -xzf "$archive" --strip-components 1 -C unpacked
rm -f "$archive"
said=$(./unpacked/bin/adal2msal --version)
if [ "$said" != "$VERSION" ]; then
  rm -rf unpacked
  echo "$archive holds another version: '$said'" >&2
  exit 65
fi
mv unpacked/* .
rmdir unpacked
echo "adal2msal $said, SHA-256 of the archive $CHECKSUM"
if [ -n "${GITHUB_PATH-}" ]; then
  echo "$FOLDER/bin" >>"$GITHUB_PATH"
else
  echo "##vso[task.prependpath]$FOLDER/bin"
fi
