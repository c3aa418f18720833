#!/bin/bash
# tools/suites.sh -- runs test suites one after the other and adds up their closing lines.
#   tools/suites.sh <make and its arguments> -- <target>...
# A suite ends with "N passed, N failed" (", N skipped" may follow) alone on a line; one that does not counts as one test.
# A target nobody has defined yet is skipped, and named.
set -u
make=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do make+=("$1"); shift; done
shift

log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT
passed=0 failed=0 skipped=0 bad= absent=
targets=$("${make[@]}" -pq .no-such-target 2>/dev/null | grep -aoE '^[a-z][a-z-]*:' | tr -d :)
for suite in "$@"; do
	if ! grep -qxF "$suite" <<< "$targets"; then
		absent="$absent $suite"
		continue
	fi
	echo "== $suite"
	"${make[@]}" --no-print-directory "$suite" 2>&1 | tee "$log"
	status=${PIPESTATUS[0]}
	line=$(grep -aE '^[0-9]+ passed, [0-9]+ failed(, [0-9]+ skipped)?$' "$log" | tail -1)
	if [ -n "$line" ]; then
		read -r p _ f _ s _ <<< "$line"
		passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + ${s:-0}))
		[ "$f" = 0 ] || bad="$bad $suite"
		[ "$f" = 0 ] && [ "$status" != 0 ] && { failed=$((failed + 1)); bad="$bad $suite"; }
	elif [ "$status" != 0 ]; then
		failed=$((failed + 1)) bad="$bad $suite"
	else
		passed=$((passed + 1))
	fi
done
[ -z "$absent" ] || echo "not there:$absent"
[ -z "$bad" ] || echo "failed in:$bad"
echo "$passed passed, $failed failed$([ $skipped = 0 ] || echo ", $skipped skipped")"
[ $failed = 0 ]
