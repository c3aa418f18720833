#!/bin/bash
# tools/scripts.sh -- runs test scripts and adds up their closing lines "N passed, N failed[, N skipped]".
#   tools/scripts.sh <script>...
set -u
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT
passed=0 failed=0 skipped=0
for script in "$@"; do
	"$script" > "$log" 2>&1
	status=$?
	line=$(tail -1 "$log" | grep -aE '^[0-9]+ passed, [0-9]+ failed(, [0-9]+ skipped)?$')
	if [ -z "$line" ]; then
		echo "FAIL $script: ended without a result, exit $status"
		tail -5 "$log"
		failed=$((failed + 1))
		continue
	fi
	grep -aE '^(FAIL|skip) ' -A 4 "$log"
	echo "$script: $line"
	read -r p _ f _ s _ <<< "$line"
	passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + ${s:-0}))
done
echo "$passed passed, $failed failed$([ $skipped = 0 ] || echo ", $skipped skipped")"
[ $failed = 0 ]
