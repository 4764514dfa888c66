# SPDX-License-Identifier: MIT
# Puts the command that was built into FOLDER on the path of the steps that follow. One that was RESTORED from a cache
# must have the SHA-256 in CHECKSUM, since other jobs can write caches; of one that was just built it is said.
set -euo pipefail
if command -v sha256sum >/dev/null; then sums=(sha256sum); else sums=(shasum -a 256); fi
sum=$("${sums[@]}" <"$FOLDER/bin/adal2msal" | cut -d' ' -f1)
if [ "$RESTORED" = true ] && [ "$sum" != "$CHECKSUM" ]; then
  rm -rf "${FOLDER:?}/bin"
  echo "the command in the cache has the SHA-256 $sum, not $CHECKSUM" >&2
  exit 65
fi
echo "SHA-256 of the command $sum"
echo "$FOLDER/bin" >>"$GITHUB_PATH"
