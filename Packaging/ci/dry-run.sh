# SPDX-License-Identifier: MIT
# Reports what a migration of CACHE would do, and the blocking problems in PROJECT. Each may be empty. Annotations go
# to the log, reports in FORMATS to the folder ARTIFACT in REPORTS. Nothing else is written.
# The status is the worse of the two. If a command cannot run, there is an annotation and a line of the summary, and
# the outputs are set all the same.
set -euo pipefail
service=azure
if [ -n "${GITHUB_OUTPUT-}" ]; then service=github; fi
status=0 errors=$(mktemp)
case " $UPLOADS " in
  *" summary "*) summary=1 ;;
  *) summary= ;;
esac

# cannot STATUS MESSAGE: says that there is no report, and why.
cannot() {
  local line=$2
  if [ "$1" -gt "$status" ]; then status=$1; fi
  if [ "$service" = github ]; then
    line=${line//%/%25} line=${line//$'\r'/%0D}
    echo "::error title=adal2msal could not run::${line//$'\n'/%0A}"
  else
    line=${line//%/%AZP25} line=${line//$'\r'/%0D}
    echo "##vso[task.logissue type=error]adal2msal could not run: ${line//$'\n'/%0A}"
  fi
  # Code by its indentation, in which nothing acts.
  printf '### adal2msal could not run\n\n    %s\n\n' "${2//$'\n'/ }" >>"$reports/problems.md"
}

# shown WORD…: a command as a shell takes it.
shown() {
  local word
  printf '    adal2msal'
  for word in "$@"; do
    case $word in
      "" | *[!A-Za-z0-9_./:,@=+-]*) printf " '%s'" "${word//\'/\'\\\'\'}" ;;
      *) printf ' %s' "$word" ;;
    esac
  done
  printf '\n'
}

# look NAME COMMAND SUBJECT OPTION…: a command about a cache or a project, with its reports.
look() {
  local name=$1 command=$2 subject=$3 format message ended=0
  shift 3
  local words=("$command" "$@" --format "$service" --report "$reports/$name.json")
  for format in $FORMATS; do
    case $format in
      json) ;;
      text) words+=(--report "$reports/$name.txt") ;;
      markdown) words+=(--report "$reports/$name.md") ;;
      sarif | html) words+=(--report "$reports/$name.$format") ;;
      junit) words+=(--report "$reports/$name.xml") ;;
      *)
        cannot 64 "unknown format '$format'; known are text, json, markdown, sarif, junit and html"
        return
        ;;
    esac
  done
  adal2msal "${words[@]}" -- "$subject" 2>"$errors" || ended=$?
  cat "$errors" >&2
  if [ "$ended" -le 1 ] && [ ! -f "$reports/$name.json" ]; then
    echo "there is no report about $subject" >"$errors"
    cat "$errors" >&2
    ended=70
  fi
  if [ "$ended" -gt 1 ]; then
    message=$(sed -n -e 's/^adal2msal: //' -e '/^note: /!p' "$errors")
    cannot "$ended" "${message:-the command ended with status $ended}"
  elif [ "$ended" -gt "$status" ]; then
    status=$ended
  fi
  if [ -f "$reports/$name.md" ]; then
    { printf '\nThe same run at your desk, in the root of the repository:\n\n' && shown "$command" "$subject" "$@"; } >>"$reports/$name.md"
  fi
}

# count NAME KEY: a number of the summary in a report.
# shellcheck disable=SC2317,SC2329
count() { sed -n "s/.*\"$2\" *: *\([0-9]*\).*/\1/p" "$reports/$1.json" 2>/dev/null | head -n 1; }

# finish: what the steps that follow are told, whatever happened; by the trap.
# shellcheck disable=SC2317,SC2329
finish() {
  local ended=$? report name signed_in to_sign_in signed_out
  if [ "$ended" -gt "$status" ]; then cannot "$ended" "the script ended with status $ended: $(tail -n 1 "$errors")"; fi
  rm -f "$errors"
  signed_in=$(count cache accountsSignedIn) || true
  to_sign_in=$(count cache accountsToSignIn) || true
  signed_out=$(count cache accountsSignedOut) || true
  if [ "$service" = github ]; then
    {
      echo "status=$status"
      # Without a name that can be one there is no artifact.
      # shellcheck disable=SC2153
      if [ "$reports" != "$REPORTS" ] && [ -n "$(ls -A "$reports")" ]; then echo "reports=$reports"; fi
      echo "signed-in=$signed_in"
      echo "to-sign-in=$to_sign_in"
      echo "signed-out=$signed_out"
      for name in cache project; do
        if [ -f "$reports/$name.sarif" ]; then echo "$name-sarif=$reports/$name.sarif"; fi
      done
    } >>"$GITHUB_OUTPUT"
  else
    echo "##vso[task.setvariable variable=adal2msal.status]$status"
    echo "##vso[task.setvariable variable=adal2msal.signedIn]$signed_in"
    echo "##vso[task.setvariable variable=adal2msal.toSignIn]$to_sign_in"
    echo "##vso[task.setvariable variable=adal2msal.signedOut]$signed_out"
  fi
  for report in "$reports"/problems.md "$reports"/cache.md "$reports"/project.md; do
    if [ -z "$summary" ] || [ ! -f "$report" ]; then continue; fi
    # GitHub takes no more than a megabyte.
    if [ "$service" = github ]; then
      head -c 1000000 "$report" >>"$GITHUB_STEP_SUMMARY"
    else
      echo "##vso[task.uploadsummary]$report"
    fi
  done
  exit "$status"
}
# A line break would be another output of the step, and a dash an option.
refuse() {
  cannot 64 "$1"
  echo "$1" >&2
  exit 64
}
# shellcheck disable=SC2153
reports=$REPORTS
mkdir -p "$reports"
rm -f "$reports/problems.md"
trap finish EXIT
for name in CACHE INTO FOR POLICY MAP JOIN_GUESTS NOW FAIL_ON PROJECT PROJECT_FAIL_ON BASELINE MSAL FORMATS UPLOADS REPORTS ARTIFACT; do
  case ${!name} in
    -*) refuse "$name must not begin with a dash" ;;
    *[[:cntrl:]]*) refuse "$name must not have line breaks or other control characters" ;;
  esac
done
# It has one pattern in each line.
case $'\n'$EXCLUDE in *$'\n'-*) refuse "EXCLUDE must not have a line that begins with a dash" ;; esac
case ${EXCLUDE//$'\n'/} in *[[:cntrl:]]*) refuse "EXCLUDE must not have control characters but line feeds" ;; esac
[[ $ARTIFACT =~ ^[A-Za-z0-9_][A-Za-z0-9_.\ -]*$ ]] || refuse "the artifact's name may have letters, digits, and . _ - and spaces"
reports=$REPORTS/$ARTIFACT
mkdir -p "$reports"
rm -f "$reports"/problems.md "$reports"/cache.json "$reports"/project.json

if [ -n "$CACHE" ]; then
  # Named, so that the run can be repeated.
  words=(-n --now "${NOW:-$(date +%s)}")
  if [ -n "$INTO" ]; then words+=(--into "$INTO"); fi
  if [ -n "$FOR" ]; then words+=(--for "$FOR"); fi
  if [ -n "$POLICY" ]; then words+=(--policy "$POLICY"); fi
  if [ -n "$MAP" ]; then words+=(--account-map "$MAP"); fi
  if [ "$JOIN_GUESTS" = true ]; then words+=(--join-guests); fi
  look cache migrate "$CACHE" "${words[@]}" --fail-on "$FAIL_ON"
fi
if [ -n "$PROJECT" ]; then
  words=()
  if [ -n "$BASELINE" ]; then words+=(--baseline "$BASELINE"); fi
  if [ -n "$MSAL" ]; then words+=(--msal "$MSAL"); fi
  while IFS= read -r glob; do
    if [ -n "$glob" ]; then words+=(--exclude "$glob"); fi
  done <<<"$EXCLUDE"
  look project doctor "$PROJECT" ${words[@]+"${words[@]}"} --fail-on "$PROJECT_FAIL_ON"
fi
exit "$status"
