#!/bin/bash
# bench/epa.sh -- error propagation: recording at both levels, making canonical, comparing; faults a second of a campaign.
#   bench/epa.sh [<build dir>] [--faults=200]         prints tables in Markdown
set -u
cd "$(dirname "$0")/.." || exit 1
build=build faults=200
for word; do
	case $word in
	--faults=*) faults=${word#*=} ;;
	*)          build=$word ;;
	esac
done
build=$(cd "$build" && pwd) || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
make -s B="$build" "$build/bench/canon" || exit 1
${CC:-gcc} -std=gnu17 -D_GNU_SOURCE -O2 bench/measure.c -o "$work/measure" || exit 1
die() { echo "epa.sh: $*" >&2; exit 1; }
cat <<-'END2'
	Error propagation (bench/epa.sh), programs of examples/epa; recording is CPU of program and recorder, the least of five runs; making a run canonical that is held
	against a known one is CPU in memory, the first time in a process and the best of half a second of rounds, as a campaign has them; what is the same is found on the way and kept
	once, so that comparing is left with the rest; "compare" is all of it, where nothing is kept once. `raddle diff` is a process of its own that opens two traces, makes both
	canonical, each by a thread of its own, and compares them: how long one waits, and its CPU, the least of five:

	| program | level | events | record, ms | canonical at first, ms | canonical, ms | M events/s | compare, ms | M events/s | `raddle diff`, ms | its CPU, ms |
	|---|---|---|---|---|---|---|---|---|---|---|
END2
for p in quicksort pca kmeans blackscholes swaptions; do
	for level in access full; do
		"$build/raddle-cc" --raddle=$level -g -O1 -pthread "examples/epa/$p.c" -o "$work/$p.$level" -lm || die "cannot build $p"
		least=
		for i in 1 2 3 4 5; do
			"$work/measure" -o /dev/null -- "$build/raddle" record -o "$work/$i.trace" -- "$work/$p.$level" > "$work/line" 2> "$work/err"
			read -r cpu _ _ code < "$work/line"
			[ "$code" = 0 ] || die "cannot record $p: $(tail -1 "$work/err")"
			least=$(awk -v a="$cpu" -v b="${least:-$cpu}" 'BEGIN { print a < b ? a : b }')
		done
		read -r events first made compared deviating < <("$build/bench/canon" "$work/1.trace" "$work/2.trace") || die "cannot compare $p"
		[ "$deviating" = 0 ] || die "two runs of $p deviate"
		waited= spent=
		for i in 1 2 3 4 5; do
			"$work/measure" -o /dev/null -- "$build/raddle" diff "$work/1.trace" "$work/2.trace" > "$work/line" 2> "$work/err"
			read -r cpu wall _ code < "$work/line"
			[ "$code" = 0 ] || die "cannot diff $p: $(tail -1 "$work/err")"
			waited=$(awk -v a="$wall" -v b="${waited:-$wall}" 'BEGIN { print a < b ? a : b }')
			spent=$(awk -v a="$cpu" -v b="${spent:-$cpu}" 'BEGIN { print a < b ? a : b }')
		done
		awk -v p=$p -v l=$level -v e="$events" -v r="$least" -v f="$first" -v m="$made" -v c="$compared" -v w="$waited" -v s="$spent" \
			'BEGIN { printf "| %s | %s | %d | %.0f | %.1f | %.1f | %.1f | %.2f | %.0f | %.0f | %.0f |\n", p, l, e, r * 1000, f * 1000, m * 1000, e / m / 1e6, c * 1000, e / c / 1e6, w * 1000, s * 1000 }'
	done
done
cat <<-END2

	Campaigns of $faults bit flips each, uniform over what is executed, one run a fault, as many at a time as there are cores; kmeans natively and steered:

	| program | faults | wall s | faults a second | CPU ms a fault |
	|---|---|---|---|---|
END2
. bench/sizes.sh
for n in quicksort pca kmeans kmeans-steered blackscholes swaptions; do
	schedule=
	[ "$n" = "${n%-steered}" ] || schedule='schedule = first'
	"$build/raddle-cc" --raddle=full -g -O1 -pthread "$(size_of "${n%-steered}")" "examples/epa/${n%-steered}.c" -o "$work/$n.small" -lm || die "cannot build $n"
	printf '[program]\ncommand = %s\n%s\n[faults]\ntypes = BitFlip\nruns = %s\n' "$work/$n.small" "$schedule" "$faults" > "$work/$n.ini"
	"$work/measure" -o /dev/null -- "$build/raddle" campaign "$work/$n.ini" > "$work/line" 2> "$work/err"
	read -r cpu wall _ code < "$work/line"
	[ "$code" = 0 ] || die "campaign of $n: $(tail -1 "$work/err")"
	awk -v p="$n" -v n="$faults" -v w="$wall" -v c="$cpu" 'BEGIN { printf "| %s | %d | %.1f | %.0f | %.1f |\n", p, n, w, n / w, c * 1000 / n }'
done
