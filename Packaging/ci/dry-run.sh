# SPDX-License-Identifier: MIT
# Says what a migration of CACHE would do, and what stands in the way in PROJECT; each may be empty. Annotations go
# to the log, reports in FORMATS to the folder REPORTS. Nothing else is written. The status is the worse of the two.
set -euo pipefail
mkdir -p "$REPORTS"
service=azure
if [ -n "${GITHUB_OUTPUT-}" ]; then service=github; fi
status=0

# look NAME FAIL_ON ARGUMENT…: a command with its reports.
look() {
  local name=$1 level=$2 format ended=0
  shift 2
  local words=("$@" --fail-on "$level" --format "$service" --report "$REPORTS/$name.json")
  for format in $FORMATS; do
    case $format in
      json) ;;
      text) words+=(--report "$REPORTS/$name.txt") ;;
      markdown) words+=(--report "$REPORTS/$name.md") ;;
      sarif | html) words+=(--report "$REPORTS/$name.$format") ;;
      junit) words+=(--report "$REPORTS/$name.xml") ;;
      *)
        echo "unknown format '$format'; known are text, json, markdown, sarif, junit and html" >&2
        exit 64
        ;;
    esac
  done
  adal2msal "${words[@]}" || ended=$?
  if [ "$ended" -gt "$status" ]; then status=$ended; fi
}

# count NAME KEY: a number of the summary in a report.
count() { sed -n "s/.*\"$2\" *: *\([0-9]*\).*/\1/p" "$REPORTS/$1.json" 2>/dev/null | head -n 1; }

if [ -n "$CACHE" ]; then
  words=(migrate "$CACHE" -n)
  if [ -n "$POLICY" ]; then words+=(--policy "$POLICY"); fi
  if [ -n "$MAP" ]; then words+=(--account-map "$MAP"); fi
  if [ -n "$NOW" ]; then words+=(--now "$NOW"); fi
  look cache "$FAIL_ON" "${words[@]}"
fi
if [ -n "$PROJECT" ]; then look project "$PROJECT_FAIL_ON" doctor "$PROJECT"; fi

if [ "$service" = github ]; then
  {
    echo "status=$status"
    echo "reports=$REPORTS"
    echo "signed-in=$(count cache accountsSignedIn)"
    echo "to-sign-in=$(count cache accountsToSignIn)"
    for name in cache project; do
      if [ -f "$REPORTS/$name.sarif" ]; then echo "$name-sarif=$REPORTS/$name.sarif"; fi
    done
  } >>"$GITHUB_OUTPUT"
fi
for report in "$REPORTS"/cache.md "$REPORTS"/project.md; do
  case " $UPLOADS " in
    *" summary "*) ;;
    *) continue ;;
  esac
  if [ ! -f "$report" ]; then continue; fi
  # GitHub takes no more than a megabyte.
  if [ "$service" = github ]; then
    head -c 1000000 "$report" >>"$GITHUB_STEP_SUMMARY"
  else
    echo "##vso[task.uploadsummary]$report"
  fi
done
exit "$status"
