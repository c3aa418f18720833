#!/bin/bash
# bench/steer.sh -- what a steered step costs (bench/steps.c), beside plain clang, and by the baton.
#   bench/steer.sh [<build dir>] [--rounds=5]       prints a table in Markdown; bench/run.sh puts it into docs/bench.md
set -u
cd "$(dirname "$0")/.." || exit 1
build=build rounds=5
for word; do
	case $word in
	--rounds=*) rounds=${word#*=} ;;
	-*)         echo "steer.sh: unknown option '$word'" >&2; exit 2 ;;
	*)          build=$word ;;
	esac
done
build=$(cd "$build" && pwd) || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
${CC:-gcc} -std=gnu17 -D_GNU_SOURCE -O2 bench/measure.c -o "$work/measure" || exit 1
clang-19 -O2 -pthread bench/steps.c -o "$work/plain" || exit 1
"$build/raddle-cc" -O2 -pthread bench/steps.c -o "$work/steps" || exit 1

# CPU seconds of the program and of raddle, median of the rounds.
cost() {
	for ((i = 0; i < rounds; i++)); do
		"$work/measure" -o /dev/null -- "$@" 2> /dev/null | cut -d' ' -f1
	done | sort -n | sed -n "$(((rounds + 1) / 2))p"
}

row() {                 # kind, times, how many events a thread has in each
	local plain steered nothing baton=$((${2} / 100))
	plain=$(cost "$work/plain" "$1" "$2")
	steered=$(cost "$build/raddle" run -- "$work/steps" "$1" "$2")
	nothing=$(cost "$build/raddle" run -- "$work/steps" "$1" 1)
	baton=$(cost "$build/raddle" run --switch=baton -- "$work/steps" "$1" "$baton")
	awk -v k="$1" -v n="$2" -v e="$3" -v p="$plain" -v s="$steered" -v z="$nothing" -v b="$baton" 'BEGIN {
		printf "| %s | %d | %.3f | %.3f | %.2f |", k, 2 * n, p, s - z, (p > 0) ? (s - z) / p : 0
		if (e) printf " %.1f | %.1f |\n", (s - z) / (2 * n * e) * 1e9, (b - z) / (2 * n / 100 * e) * 1e9
		else printf " - | - |\n"
	}'
}

cat <<-'END'
	What steering costs (`raddle run`, policy first, no trace kept), two threads; CPU of program and raddle, less that of a run
	which does nothing:

	| each does | times, both | plain, CPU s | steered, CPU s | ratio | ns an event | ns an event by the baton |
	|---|---|---|---|---|---|---|
END
row local 100000000 0
row shared 10000000 2
row heap 10000000 2
row stay 2000000 1
row switch 2000000 1
echo
echo "A switch in the program alone, without raddle's reading of the log: $("$build/bench/switch" "$work/steps" 1000000) ns."
