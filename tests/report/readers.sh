#!/bin/bash
# tests/report/readers.sh -- other people's readers take our formats: xmllint the JUnit XML and the HTML, jq the JSON and the SARIF.
set -u
cd "$(dirname "$0")/../.." || exit 1
reports=${RADDLE_BUILD:-build}/tests/reports passed=0 failed=0 skipped=0
room=$(mktemp -d) || exit 1
trap 'rm -rf "$room"' EXIT

ok() { if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL $*"; fi; }
skip() { skipped=$((skipped + 1)); echo "skip tests/report/readers.sh: $*"; }
is() { [ "$1" = "$2" ] || { echo "FAIL '$1', not '$2'"; return 1; }; }

hostile=$'\x01\x1b[31m</failure>]]>&<!--\xff\xfe\xef\xbf\xbf"\''
"$reports" junit 8 > "$room/8.xml"
"$reports" junit 200 > "$room/200.xml"
"$reports" junit 0 > "$room/0.xml"
"$reports" junit hostile "$hostile" > "$room/hostile.xml"
if command -v xmllint > /dev/null; then
	for name in 8 200 0 hostile; do ok xmllint --noout "$room/$name.xml"; done
	count() { xmllint --xpath "string($2)" "$room/$1.xml"; }
	# Of eight four are confirmed; one case stands for the command itself.
	ok is "$(count 8 'count(//testcase)')" 9
	ok is "$(count 8 //testsuite/@tests)" 9
	ok is "$(count 8 'count(//failure)')" 4
	ok is "$(count 8 //testsuite/@failures)" 4
	ok is "$(count 8 'count(//skipped)')" 4
	ok is "$(count 8 //testsuite/@skipped)" 4
	ok is "$(count 0 'count(//testcase)')" 1
	ok is "$(count 0 'count(//failure|//error)')" 0
	ok is "$(count hostile 'count(//*)')" 5                 # testsuites, testsuite, two cases, a failure: nothing of the name
else
	skip "xmllint is not here"
fi

# The trace of a stranger names files: what is not named like source code is not put on the page.
echo 'kept secret' > "$room/secret.txt"
cp "$room/secret.txt" "$room/source.c"
ok is "$("$reports" html hostile "$room/secret.txt" | grep -c 'kept secret')" 0
ok is "$("$reports" html hostile "$room/source.c" | grep -c 'kept secret')" 1

if command -v jq > /dev/null; then
	"$reports" json 200 > "$room/200.json"
	ok is "$(jq -r 'select(.kind) | keys - ["rule", "left", "assumed"] | join(",")' "$room/200.json" | sort -u)" effect,fingerprint,kind,object,places,schedule,schema,status
	ok is "$(jq -r 'select(.rule) | .status' "$room/200.json" | sort -u)" infeasible
	ok is "$(jq -r 'select(.left) | .status' "$room/200.json" | sort -u)" not-reproduced
	ok is "$(jq -r 'select(.left) | .left | keys | join(",")' "$room/200.json" | sort -u)" came,expected,step
	ok is "$(jq -r 'select(.kind) | .places[] | keys | join(",")' "$room/200.json" | sort -u)" access,file,function,line,thread
	ok is "$(jq -r 'select(.kind) | .fingerprint' "$room/200.json" | sort -u | wc -l)" 200
	ok is "$(jq -s '.[-1].summary | .races, .deadlocks, .confirmed, .not_reproduced, .infeasible' "$room/200.json" | tr '\n' ' ')" "25 25 100 25 25 "
	ok is "$("$reports" sarif 200 | jq '.runs[0].results | length')" 200
	ok is "$("$reports" sarif hostile "$hostile" | jq '.runs[0].results | length')" 1
	ok is "$("$reports" sarif 8 | jq -r '[.runs[0].results[] | .codeFlows[0].threadFlows[].locations[].executionOrder] | min')" 1
	# A line further down and in another folder: the same fingerprints.
	"$reports" json 8 old/ | jq -r 'select(.kind) | .fingerprint' > "$room/before"
	"$reports" json 8 new/folder/ 40 | jq -r 'select(.kind) | .fingerprint' > "$room/after"
	ok cmp "$room/before" "$room/after"
else
	skip "jq is not here"
fi
echo "$passed passed, $failed failed$([ $skipped = 0 ] || echo ", $skipped skipped")"
[ $failed = 0 ]
