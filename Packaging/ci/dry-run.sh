# SPDX-License-Identifier: MIT
# Says what a migration of CACHE would do, and what stands in the way in PROJECT; each may be empty. Annotations go
# to the log, reports in FORMATS to the folder ARTIFACT in REPORTS. Nothing else is written. The status is the worse
# of the two.
set -euo pipefail

refuse() {
  echo "$1" >&2
  exit 64
}

# A line break would be another output of the step, and a dash an option.
for name in CACHE POLICY MAP NOW FAIL_ON PROJECT PROJECT_FAIL_ON FORMATS UPLOADS REPORTS ARTIFACT; do
  case ${!name} in
    -*) refuse "$name must not begin with a dash" ;;
    *[[:cntrl:]]*) refuse "$name must not have line breaks or other control characters" ;;
  esac
done
[[ $ARTIFACT =~ ^[A-Za-z0-9_][A-Za-z0-9_.\ -]*$ ]] || refuse "the artifact's name may have letters, digits, and . _ - and spaces"
reports=$REPORTS/$ARTIFACT
mkdir -p "$reports"
service=azure
if [ -n "${GITHUB_OUTPUT-}" ]; then service=github; fi
status=0

# look NAME FAIL_ON SUBJECT ARGUMENT…: a command about a cache or a project, with its reports.
look() {
  local name=$1 level=$2 subject=$3 format ended=0
  shift 3
  local words=("$@" --fail-on "$level" --format "$service" --report "$reports/$name.json")
  for format in $FORMATS; do
    case $format in
      json) ;;
      text) words+=(--report "$reports/$name.txt") ;;
      markdown) words+=(--report "$reports/$name.md") ;;
      sarif | html) words+=(--report "$reports/$name.$format") ;;
      junit) words+=(--report "$reports/$name.xml") ;;
      *) refuse "unknown format '$format'; known are text, json, markdown, sarif, junit and html" ;;
    esac
  done
  rm -f "$reports/$name.json"
  adal2msal "${words[@]}" -- "$subject" || ended=$?
  if [ "$ended" -le 1 ] && [ ! -f "$reports/$name.json" ]; then
    echo "there is no report about $subject" >&2
    ended=70
  fi
  if [ "$ended" -gt "$status" ]; then status=$ended; fi
}

# count NAME KEY: a number of the summary in a report.
count() { sed -n "s/.*\"$2\" *: *\([0-9]*\).*/\1/p" "$reports/$1.json" 2>/dev/null | head -n 1; }

if [ -n "$CACHE" ]; then
  words=(migrate -n)
  if [ -n "$POLICY" ]; then words+=(--policy "$POLICY"); fi
  if [ -n "$MAP" ]; then words+=(--account-map "$MAP"); fi
  if [ -n "$NOW" ]; then words+=(--now "$NOW"); fi
  look cache "$FAIL_ON" "$CACHE" "${words[@]}"
fi
if [ -n "$PROJECT" ]; then look project "$PROJECT_FAIL_ON" "$PROJECT" doctor; fi

if [ "$service" = github ]; then
  {
    echo "status=$status"
    echo "reports=$reports"
    echo "signed-in=$(count cache accountsSignedIn)"
    echo "to-sign-in=$(count cache accountsToSignIn)"
    for name in cache project; do
      if [ -f "$reports/$name.sarif" ]; then echo "$name-sarif=$reports/$name.sarif"; fi
    done
  } >>"$GITHUB_OUTPUT"
fi
for report in "$reports"/cache.md "$reports"/project.md; do
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
