#!/bin/bash
# tests/predict/guarded.sh [<programs> [<first seed>]] -- what predict calls infeasible must not be seen to race in any schedule.
# Programs are made up by guarded.c; schedules are drawn by `raddle hunt --races`, which knows nothing of predictions.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${RADDLE_BUILD:-$root/build}
case $build in /*) ;; *) build=$root/$build ;; esac
count=${1:-6} first=${2:-1} wrong=0 closed=0 raced=0 found=0
room=$(mktemp -d) || exit 1
trap 'rm -rf "$room"' EXIT
cd "$room" || exit 1
lines() { sort -n | tr '\n' ' ' | sed 's/ $//'; }
for ((seed = first; seed < first + count; seed++)); do
	"$build/tests/guarded" "$seed" > prog.c && "$build/raddle-cc" -g -O$((seed % 3)) -pthread prog.c -o prog || exit 1
	"$build/raddle" hunt --races --runs=600 --no-minimize --json -- ./prog > hunted 2> /dev/null
	"$build/raddle" predict --all --json --replays=1 --runs=400 -- ./prog > predicted 2> /dev/null
	if ! tail -1 predicted | grep -q '"events"'; then
		echo "  FAIL  seed $seed: predict came to no end"
		wrong=$((wrong + 1))
		continue
	fi
	grep '^{"schema":1,"race"' hunted | while read -r race; do
		grep -o '"place":"prog.c:[0-9]*' <<< "$race" | grep -o '[0-9]*$' | lines
		echo
	done | grep . | sort -u > seen
	grep '"status":"infeasible"' predicted | grep '"kind":"race"' | while read -r race; do
		grep -o '"line":[0-9]*' <<< "$race" | grep -o '[0-9]*$' | lines
		echo
	done | grep . | sort -u > none
	raced=$((raced + $(wc -l < seen))) closed=$((closed + $(wc -l < none))) found=$((found + $(grep -c '"status":"confirmed"' predicted)))
	comm -12 seen none > both
	if [ -s both ]; then
		wrong=$((wrong + 1))
		echo "  FAIL  seed $seed: races were seen between lines that were said to be infeasible: $(tr '\n' ';' < both)"
	fi
done
echo "$((count - wrong)) passed, $wrong failed ($raced races seen, $found findings confirmed, $closed pairs closed)"
[ $wrong = 0 ]
