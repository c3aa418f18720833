#!/bin/bash
# tools/suites.sh -- runs test suites and adds up their closing lines.
#   tools/suites.sh <make and its arguments> -- <target>...
# LANES: how many suites run at once (default 1); each is shown whole, in the order given, as soon as those before it are.
# A suite ends with "N passed, N failed" (", N skipped" may follow) alone on a line; one that does not counts as one test.
# A target nobody has defined has failed: a slip of the pen must not leave a suite out.
set -u
make=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do make+=("$1"); shift; done
shift

logs=$(mktemp -d) || exit 1
trap 'rm -rf "$logs"' EXIT
set -m                                          # a job beside us must not be deaf to Ctrl-C: its tests send that signal
trap 'for job in $(jobs -p); do kill -- "-$job"; done; exit 130' INT TERM
passed=0 failed=0 skipped=0 bad= absent= suites=() shown=0
targets=$("${make[@]}" -pq .no-such-target 2>/dev/null | grep -aoE '^[a-z][a-z-]*:' | tr -d :)

# Alone its output is seen as it comes, among others afterwards.
run() {
	local log=$logs/$1 status
	if [ "${LANES:-1}" -gt 1 ]; then
		"${make[@]}" --no-print-directory "$1" > "$log" 2>&1 < /dev/null
		status=$?
	else
		echo "== $1"
		"${make[@]}" --no-print-directory "$1" 2>&1 | tee "$log"
		status=${PIPESTATUS[0]}
	fi
	echo "$status" > "$log.ended.new" && mv "$log.ended.new" "$log.ended"
}

count() {
	local log=$logs/$1 status line p f s
	status=$(< "$log.ended")
	line=$(grep -aE '^[0-9]+ passed, [0-9]+ failed(, [0-9]+ skipped)?$' "$log" | tail -1)
	if [ -n "$line" ]; then
		read -r p _ f _ s _ <<< "$line"
		passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + ${s:-0}))
		[ "$f" = 0 ] || bad="$bad $1"
		[ "$f" = 0 ] && [ "$status" != 0 ] && { failed=$((failed + 1)); bad="$bad $1"; }
	elif [ "$status" != 0 ]; then
		failed=$((failed + 1)) bad="$bad $1"
	else
		passed=$((passed + 1))
	fi
}

# Those that ended and whose turn it is.
show_ended() {
	while [ $shown -lt ${#suites[@]} ] && [ -e "$logs/${suites[shown]}.ended" ]; do
		[ "${LANES:-1}" -gt 1 ] && { echo "== ${suites[shown]}"; cat "$logs/${suites[shown]}"; }
		count "${suites[shown]}"
		shown=$((shown + 1))
	done
}

for suite in "$@"; do
	if ! grep -qxF "$suite" <<< "$targets"; then
		absent="$absent $suite"
		continue
	fi
	suites+=("$suite")
	run "$suite" &
	while [ "$(jobs -pr | wc -l)" -ge "${LANES:-1}" ]; do
		wait -n
		show_ended
	done
done
wait
show_ended
for suite in $absent; do
	echo "there is no suite called $suite"
	failed=$((failed + 1)) bad="$bad $suite"
done
[ -z "$bad" ] || echo "failed in:$bad"
echo "$passed passed, $failed failed$([ $skipped = 0 ] || echo ", $skipped skipped")"
[ $failed = 0 ]
