#!/bin/bash
# bench/predict.sh -- what it costs to think about a long run: made-up traces (bench/predictgen.h) of 10^6, 10^7 and 10^8 events.
#   bench/predict.sh [<build dir>] [--most=100000000]         prints a table in Markdown; fails if a planted race is missed or another one reported
set -u
cd "$(dirname "$0")/.." || exit 1
build=build most=100000000
for word; do
	case $word in
	--most=*) most=${word#*=} ;;
	*)        build=$word ;;
	esac
done
build=$(cd "$build" && pwd) || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
make -s B="$build" "$build/bench/predicttrace" "$build/bench/firstpass" || exit 1
${CC:-gcc} -std=gnu17 -D_GNU_SOURCE -O2 bench/measure.c -o "$work/measure" || exit 1
cat <<-'END2'
	`raddle predict --no-runs` on made-up runs of 16 threads, 64 locks nested to 3, 30 % of the accesses in sections, 10,000 variables, 500 races
	planted, 100 of which need a read to see another value; CPU seconds of one core (bench/predict.sh):

	| events | MB | first pass, s | M events/s | all of it, s | M events/s | memory, MB | races found | others |
	|---|---|---|---|---|---|---|---|---|
END2
for ((events = 1000000; events <= most; events *= 10)); do
	"$build/bench/predicttrace" "$work/made.trace" $events 500 100 || exit 1
	read -r count first _ < <("$build/bench/firstpass" "$work/made.trace") || exit 1
	"$work/measure" -o "$work/found" -- "$build/raddle" predict --no-runs --json "$work/made.trace" > "$work/line" 2> "$work/err"
	read -r cpu _ kb code < "$work/line"
	[ "$code" = 1 ] || { echo "predict.sh: exit $code: $(tail -2 "$work/err")" >&2; exit 1; }
	lines=$(grep '"kind":' "$work/found" | grep -oE '"(kind|line)":[^,}]*' | cut -d: -f2 | paste - - -)
	planted=$(awk '$1 == "\"race\"" { a = $2 < $3 ? $2 : $3; b = $2 < $3 ? $3 : $2; if (a % 2 == 0 && b == a + 1 && a >= 1000 && a < 2000 && !seen[a]++) n++ } END { print n + 0 }' <<< "$lines")
	all=$(grep -c . <<< "$lines")
	awk -v e="$count" -v b="$(stat -c %s "$work/made.trace")" -v f="$first" -v c="$cpu" -v kb="$kb" -v p="$planted" -v o="$((all - planted))" \
		'BEGIN { printf "| %d | %.1f | %.2f | %.1f | %.2f | %.1f | %d | %d | %d |\n", e, b / 1e6, f, e / f / 1e6, c, e / c / 1e6, kb / 1024, p, o }'
	[ "$planted" = 500 ] && [ "$all" = 500 ] || { echo "predict.sh: of 500 planted races $planted were found, and $((all - planted)) others" >&2; exit 1; }
done
