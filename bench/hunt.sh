#!/bin/bash
# bench/hunt.sh -- how many runs a planted bug takes: by each policy, and on the machine as it is.
#   bench/hunt.sh [<build dir>] [--seeds=20] [--native=1000]      prints a table in Markdown; bench/run.sh puts it into docs/bench.md
# The programs are those of tests/run/hunt; depths stand in their heads.  A hunt is given up after 5000 runs, a native run after half a second.
set -u
cd "$(dirname "$0")/.." || exit 1
build=build seeds=20 native=1000 most=5000
for word; do
	case $word in
	--seeds=*)  seeds=${word#*=} ;;
	--native=*) native=${word#*=} ;;
	-*)         echo "hunt.sh: unknown option '$word'" >&2; exit 2 ;;
	*)          build=$word ;;
	esac
done
build=$(cd "$build" && pwd) || exit 1
root=$PWD
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

# The median, over the seeds, of the run that failed; not found: beyond the most.
runs_needed() {         # policy, more options
	local seed run
	for ((seed = 0; seed < seeds; seed++)); do
		rm -f fail-*
		# shellcheck disable=SC2086
		run=$("$build/raddle" hunt --json --no-minimize --runs=$most --seed=$((1 + seed * most)) --policy="$1" $2 -- ./prog 2> /dev/null |
			sed -n 's/.*"run":\([0-9]*\).*/\1/p')
		echo "${run:-$((most + 1))}"
	done | sort -n | sed -n "$(((seeds + 1) / 2))p" | awk -v most=$most '{ if ($1 > most) print "> " most; else print $1 }'
}

native_failures() {
	local i failed=0
	for ((i = 0; i < native; i++)); do
		timeout 0.5 ./plain > /dev/null 2>&1 || failed=$((failed + 1))
	done
	echo $failed
}

cat <<-END
	Runs until a planted bug shows (tests/run/hunt), the median over $seeds seeds, the first run by policy first included; beside it how many of
	$native runs fail by themselves, built with plain clang -O1:

	| program | depth | random | pct | pos | mix | of $native native runs |
	|---|---|---|---|---|---|---|
END
for dir in "$root"/tests/run/hunt/*/; do
	source=$(ls "$dir"prog.c* 2> /dev/null) || continue
	case $source in
	*.cpp) "$build/raddle-c++" -g -O1 -std=c++20 -pthread "$source" -o prog && clang++-19 -O1 -std=c++20 -pthread "$source" -o plain ;;
	*)     "$build/raddle-cc" -g -O1 -pthread "$source" -o prog && clang-19 -O1 -pthread "$source" -o plain ;;
	esac || exit 1
	how=$(cat "$dir/how" 2> /dev/null)
	depth=$(grep -o 'Depth [0-9]' "$source" | head -1 | cut -d' ' -f2)
	printf '| %s ' "$(basename "$dir")" "$depth" "$(runs_needed random "$how")" "$(runs_needed pct "$how")" "$(runs_needed pos "$how")" \
		"$(runs_needed mix "$how")" "$(native_failures)"
	echo '|'
done
