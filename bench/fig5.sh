#!/bin/bash
# bench/fig5.sh -- five programs, five kinds of faults, so many runs of each: which share deviates, and what became of them, beside what the literature has.
#   bench/fig5.sh [<build dir>] [--runs=5000] [--state=<folder>] [--programs="quicksort pca ..."] [--jobs=<n>]
# The state (default <build dir>/fig5-<runs>) has programs and databases: killed, it goes on where it was, and run again it only tells.
set -u
cd "$(dirname "$0")/.." || exit 1
build=build runs=5000 state='' jobs=$(nproc) programs='quicksort pca kmeans blackscholes swaptions'
for word; do
	case $word in
	--runs=*)     runs=${word#*=} ;;
	--state=*)    state=${word#*=} ;;
	--programs=*) programs=${word#*=} ;;
	--jobs=*)     jobs=${word#*=} ;;
	-*)           echo "fig5.sh: unknown option '$word'" >&2; exit 2 ;;
	*)            build=$word ;;
	esac
done
case $runs in ''|*[!0-9]*|0) echo "fig5.sh: --runs=$runs is no number of runs" >&2; exit 2 ;; esac
build=$(cd "$build" && pwd) || exit 1
state=${state:-$build/fig5-$runs}
mkdir -p "$state" || exit 1
state=$(cd "$state" && pwd) || exit 1
die() { echo "fig5.sh: $*" >&2; exit 1; }
[ -x "$state/measure" ] || ${CC:-gcc} -std=gnu17 -D_GNU_SOURCE -O2 bench/measure.c -o "$state/measure" || die "cannot build measure"

. bench/sizes.sh
for n in $programs; do
	[ -n "$(size_of "$n")" ] || die "no such program: '$n'"
	[ -x "$state/$n" ] || "$build/raddle-cc" --raddle=full -g -O1 -pthread "$(size_of "$n")" "examples/epa/$n.c" -o "$state/$n" -lm || die "cannot build $n"
	printf '[program]\ncommand = ./%s\n[faults]\ntypes = BitFlip FileSize MallSize CallCorr InvalPtr\nruns = %s\n' "$n" "$runs" > "$state/$n.ini.new"
	cmp -s "$state/$n.ini.new" "$state/$n.ini" && rm "$state/$n.ini.new" || mv "$state/$n.ini.new" "$state/$n.ini"
	[ -s "$state/$n.csv" ] && continue
	(cd "$state" && ./measure -o "$n.out" -- "$build/raddle" campaign --jobs="$jobs" --csv="$n.csv.new" "$n.ini") > "$state/$n.line" 2> "$state/$n.err" ||
		die "campaign of $n: $(tail -1 "$state/$n.err")"
	read -r cpu wall _ code < "$state/$n.line"
	[ "$code" = 0 ] || die "campaign of $n: exit $code, $(tail -1 "$state/$n.err")"
	echo "$cpu $wall" >> "$state/$n.times"
	mv "$state/$n.csv.new" "$state/$n.csv"
	echo "fig5.sh: $n: $wall s, $cpu s of CPU" >&2
done

echo "Faults in five programs (bench/fig5.sh), $runs of each kind, drawn uniformly; *deviates* is the share in which a later event of some thread is not that of the golden run, with 95 % intervals (Wilson),"
echo "*unexplained* how many that do not deviate have no known reason, *blind* how many crashes and corruptions the comparison of traces alone does not see:"
echo
echo "| program | fault | runs | deviates, % | crash | silent | latent | masked | hang, deadlock | not activated | unexplained | blind | failed |"
echo "|---|---|---|---|---|---|---|---|---|---|---|---|---|"
for n in $programs; do
	awk -F, -v program="$n" '        # the columns that are read have no commas: raddle-campaign(1)
		NR == 1 { next }
		{ runs[$2]++; became[$2, $7]++; deviates[$2] += $9 != ""; blind[$2] += ($7 == "crash" || $7 == "silent corruption") && $9 == ""
		  unexplained[$2] += $7 == "masked" && $18 ~ /unexplained/; failed[$2] += $7 == "failed" || $7 == "" }
		END {
			z = 1.959964
			split("BitFlip FileSize MallSize CallCorr InvalPtr", kinds, " ")
			for (i = 1; i in kinds; i++) {
				k = kinds[i]; n = runs[k]
				if (!n) continue
				p = deviates[k] / n; whole = 1 + z * z / n
				middle = (p + z * z / (2 * n)) / whole; half = z / whole * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
				printf "| %s | %s | %d | %.1f (%.1f-%.1f) | %d | %d | %d | %d | %d | %d | %d | %d | %d |\n", program, k, n, 100 * p, 100 * (middle - half), 100 * (middle + half),
					became[k, "crash"], became[k, "silent corruption"], became[k, "latent"], became[k, "masked"], became[k, "hang"] + became[k, "deadlock"], became[k, "not activated"],
					unexplained[k], blind[k], failed[k]
			}
		}' "$state/$n.csv"
done
echo
cat $(for n in $programs; do echo "$state/$n.times"; done) | awk -v runs="$runs" -v programs="$(echo "$programs" | wc -w)" '{ cpu += $1; wall += $2 }
	END { printf "%d runs: %.1f minutes, %.1f minutes of CPU, %.1f ms of CPU a fault.", runs * programs * 5, wall / 60, cpu / 60, cpu * 1000 / (runs * programs * 5) }'
echo " The literature has 125,000 runs in which 56 to 91 % deviate, by program and kind, no crash and no corruption unseen, and does not say why the others do not."
