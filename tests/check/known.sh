#!/bin/bash
# tests/check/known.sh -- the oracle's counts against tests/check/known; bad programs are refused with their line.
set -u
oracle=$1
cd "$(dirname "$0")" || exit 1
case $oracle in /*) ;; *) oracle=../../$oracle ;; esac
passed=0 failed=0
judge() { if [ "$1" = "$2" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL $3: '$1', not '$2'"; fi; }

while read -r name sc tso pso; do
	case $name in '' | '#') continue ;; esac
	for model in "sc $sc" "tso $tso" "pso $pso"; do
		[ "${model#* }" != - ] || continue      # not known
		judge "$("$oracle" "${model% *}" "programs/$name" | grep -o 'classes [0-9]*')" "classes ${model#* }" "$name ${model% *}"
	done
done < known

# Peterson's lock holds under SC alone without fences, and under all with them.
judge "$("$oracle" sc programs/peterson | grep -o 'failed [0-9]*')" "failed 0" "peterson sc"
judge "$("$oracle" tso programs/peterson | grep -c 'failed 0')" 0 "peterson tso"
for model in sc tso pso; do
	judge "$("$oracle" $model programs/peterson-fenced | grep -o 'failed [0-9]*')" "failed 0" "peterson-fenced $model"
	judge "$("$oracle" $model programs/bounded-buffer | grep -o 'deadlocks [0-9]* failed [0-9]*')" "deadlocks 0 failed 0" "bounded-buffer $model"
done
judge "$("$oracle" --classes sc programs/lost-wakeup | grep ^T_ | sort | paste -sd'|')" \
	"T_0_0:; T_0_1: 0|T_0_0:; T_0_1: 0 blocked at line 8|T_0_0:; T_0_1: 1" "lost-wakeup, told"

bad=$(mktemp) || exit 1
trap 'rm -f "$bad"' EXIT
for text in 'thread { x = ; }' 'thread { lock(m); }' 'shared x; shared x;' 'shared x[99];' 'thread { while (1) { a = 1; } }' 'what' 'thread {'; do
	printf '%s\n' "$text" > "$bad"
	timeout 10 "$oracle" sc "$bad" > /dev/null 2>&1
	judge $? 3 "refused: $text"
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
