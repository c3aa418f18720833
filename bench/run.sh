#!/bin/bash
# bench/run.sh -- what raddle costs, beside plain clang and ThreadSanitizer, in one run on one machine.
#   bench/run.sh [<build dir>] [--rounds=5] [--quick] [--no-hunt] [--kernels="buffer pca ..."] [--out=bench/results.json]
# Five kernels, each built plain, with -fsanitize=thread, at level access and at level sync, all -O2.  Variants:
#   plain     clang-19 -O2
#   tsan      ThreadSanitizer, reports off
#   idle      built with raddle, not recorded
#   last      recorded by the flight recorder, --last=8M
#   sync      built with --raddle=sync, recorded to disk
#   lowered   built at level access, recorded with --level=sync
#   disk      recorded to disk in full, on a smaller input (its own plain beside it)
# Rounds interleave the variants; figures are medians.  CPU is that of all processes.  Writes one flat JSON object, one
# key a line, and docs/bench.md.
set -u
cd "$(dirname "$0")/.." || exit 1
build=build rounds=5 quick= hunt=1 out=bench/results.json
kernels="blackscholes quicksort kmeans pca buffer"
for word; do
	case $word in
	--rounds=*)  rounds=${word#*=} ;;
	--quick)     quick=1 rounds=1 ;;
	--no-hunt)   hunt= ;;                   # the longest part: the page keeps what it says of it
	--kernels=*) kernels=${word#*=} ;;
	--out=*)     out=${word#*=} ;;
	-*)          echo "run.sh: unknown option '$word'" >&2; exit 2 ;;
	*)           build=$word ;;
	esac
done
build=$(cd "$build" && pwd) || exit 1
raddle=$build/raddle
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export TSAN_OPTIONS=report_bugs=0 LC_ALL=C
load_before=$(cut -d' ' -f1 /proc/loadavg)      # what others were doing: a busy machine blurs every ratio

# kernel -> arguments in full, and for the run to disk
full_blackscholes="40000 400 3"   disk_blackscholes="40000 40 3"
full_quicksort="10000000 4"       disk_quicksort="600000 4"
full_kmeans="60000 200 8"         disk_kmeans="60000 10 8"
full_pca="800 3000 4"             disk_pca="160 3000 4"
full_buffer="400000 150 2 2"      disk_buffer="200000 150 2 2"
arguments() { local name=${1}_$2; echo "${!name}"; }

die() { echo "run.sh: $*" >&2; exit 1; }
say() { [ ! -t 2 ] || echo "$*" >&2; }

# ---- build ----
${CC:-gcc} -std=gnu17 -D_GNU_SOURCE -O2 bench/measure.c -o "$work/measure" || die "cannot build measure"
for k in $kernels; do
	clang-19 -O2 -pthread "bench/$k.c" -o "$work/$k.plain" -lm || die "cannot build $k"
	clang-19 -O2 -pthread -fsanitize=thread "bench/$k.c" -o "$work/$k.tsan" -lm || die "cannot build $k with TSan"
	"$build/raddle-cc" -O2 -pthread "bench/$k.c" -o "$work/$k.access" -lm || die "cannot build $k with raddle-cc"
	"$build/raddle-cc" --raddle=sync -O2 -pthread "bench/$k.c" -o "$work/$k.sync" -lm || die "cannot build $k at level sync"
done

# ---- run ----
# command <kernel> <variant>: sets the array `command`
command_of() {
	local args size=full
	case $2 in disk|small) size=disk ;; esac
	[ -n "$quick" ] && size=disk
	args=$(arguments $size "$1")
	case $2 in
	plain|small) command=("$work/$1.plain" $args) ;;
	tsan)    command=("$work/$1.tsan" $args) ;;
	idle)    command=("$work/$1.access" $args) ;;
	last)    command=("$raddle" record --last=8M -o "$work/run.trace" -- "$work/$1.access" $args) ;;
	disk)    command=("$raddle" record -o "$work/run.trace" -- "$work/$1.access" $args) ;;
	lowered) command=("$raddle" record --level=sync -o "$work/run.trace" -- "$work/$1.access" $args) ;;
	sync)    command=("$raddle" record -o "$work/run.trace" -- "$work/$1.sync" $args) ;;
	esac
}

# once <kernel> <variant> [-m]: appends "cpu wall kb" to a file of that name; the answer must be plain clang's
once() {
	local cpu wall kb code
	command_of "$1" "$2"
	rm -f "$work"/run.trace*
	"$work/measure" ${3-} -o "$work/out" -- "${command[@]}" > "$work/line" 2> "$work/err"
	read -r cpu wall kb code < "$work/line"
	[ "$code" = 0 ] || die "$1 $2 failed, exit $code: $(tail -3 "$work/err")"
	case $2 in
	plain|small) cp "$work/out" "$work/$1.$2.want" ;;
	disk)  cmp -s "$work/out" "$work/$1.small.want" || die "$1 $2 gives another answer" ;;
	*)     cmp -s "$work/out" "$work/$1.plain.want" || die "$1 $2 gives another answer" ;;
	esac
	echo "$cpu $wall $kb" >> "$work/$1.$2${3-}.runs"
}

variants="plain tsan idle last sync lowered small disk"
for ((round = 1; round <= rounds; round++)); do
	for k in $kernels; do
		for v in $variants; do
			say "round $round of $rounds: $k $v"
			once "$k" "$v"
			[ $v = disk ] && [ $round = 1 ] && {
				"$raddle" info --json "$work/run.trace" | tail -1 | grep -o '"events":[0-9]*' | head -1 | cut -d: -f2 > "$work/$k.events"
				stat -c %s "$work/run.trace" > "$work/$k.bytes"
			}
		done
	done
done
for k in $kernels; do
	for v in plain last disk; do once "$k" $v -m; done
done

# ---- figures ----
median() { cut -d' ' -f"$2" "$work/$1.runs" | sort -n | awk '{ a[NR] = $1 } END { print NR % 2 ? a[(NR + 1) / 2] : (a[NR / 2] + a[NR / 2 + 1]) / 2 }'; }
calc() { awk "BEGIN { printf \"$1\", $2 }"; }
figures=()
put() { figures+=("\"$1\": $2"); declare -g "f_${1//[.-]/_}=$2"; }
get() { local name=f_${1//[.-]/_}; echo "${!name-}"; }

put date "\"$(date -u +%Y-%m-%d)\""
put cores "$(nproc)"
put cpu "\"$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1)\""
put rounds "$rounds"
put load.before "$load_before"
put load.after "$(cut -d' ' -f1 /proc/loadavg)"
for k in $kernels; do
	plain=$(median "$k.plain" 1) small=$(median "$k.small" 1)
	put "$k.plain.cpu" "$plain"
	for v in tsan idle last sync lowered; do
		put "$k.$v.ratio" "$(calc %.2f "$(median "$k.$v" 1) / $plain")"
	done
	put "$k.disk.ratio" "$(calc %.2f "$(median "$k.disk" 1) / $small")"
	events=$(cat "$work/$k.events") bytes=$(cat "$work/$k.bytes")
	put "$k.disk.events" "${events:-0}"
	put "$k.disk.bytes" "$bytes"
	put "$k.disk.bytes_per_event" "$(calc %.2f "$bytes / (${events:-0} ? ${events:-1} : 1)")"
	put "$k.disk.events_per_cpu_second" "$(calc %.0f "${events:-0} / $(median "$k.disk" 1)")"
	put "$k.plain.kb" "$(median "$k.plain-m" 3)"
	put "$k.last.extra_mb" "$(calc %.1f "($(median "$k.last-m" 3) - $(median "$k.plain-m" 3)) / 1024")"
done
for v in tsan idle last sync lowered disk; do
	for k in $kernels; do get "$k.$v.ratio"; done | awk -v OFS=' ' '{ s += log($1); if ($1 > m) m = $1 } END { printf "%.2f %.2f\n", exp(s / NR), m }' > "$work/mean"
	read -r mean most < "$work/mean"
	put "$v.geomean" "$mean"
	put "$v.max" "$most"
done
put last.extra_mb.max "$(for k in $kernels; do get "$k.last.extra_mb"; done | sort -n | tail -1)"
put disk.bytes_per_event.max "$(for k in $kernels; do get "$k.disk.bytes_per_event"; done | sort -n | tail -1)"

# ---- growth: one kernel at about 1e5, 1e6, 1e7, 1e8 events ----
sizes="1500 15000 135000 1250000"
[ -n "$quick" ] && sizes="1500 15000 135000"
grow=100000
if [[ " $kernels " == *" quicksort "* ]]; then
	for n in $sizes; do
		say "growth: about $grow events"
		"$work/measure" -o /dev/null -- "$raddle" record -o "$work/run.trace" -- "$work/quicksort.access" "$n" 4 > "$work/line" 2> "$work/err"
		read -r cpu wall kb code < "$work/line"
		"$work/measure" -o "$work/info" -- "$raddle" info --json "$work/run.trace" > "$work/line" 2>> "$work/err"
		read -r read_cpu read_wall kb code < "$work/line"
		[ "$code" = 0 ] || die "cannot read a trace of $grow events: $(tail -2 "$work/err")"
		events=$(tail -1 "$work/info" | grep -o '"events":[0-9]*' | head -1 | cut -d: -f2)
		"$work/measure" -m -o "$work/verdict" -- "$raddle" determinism --json "$work/run.trace" > "$work/line" 2>> "$work/err"
		read -r order_cpu order_wall order_kb code < "$work/line"
		[ "$code" -le 1 ] || die "no verdict on a trace of $grow events: $(tail -2 "$work/err")"
		put "growth.$grow.determinism_cpu" "$order_cpu"
		put "growth.$grow.determinism_mb" "$(calc %.0f "$order_kb / 1024")"
		put "growth.$grow.events" "$events"
		put "growth.$grow.bytes" "$(stat -c %s "$work/run.trace")"
		put "growth.$grow.record_cpu" "$cpu"
		put "growth.$grow.info_cpu" "$read_cpu"
		put "growth.$grow.info_events_per_second" "$(calc %.0f "$events / $read_cpu")"
		grow=$((grow * 10))
	done
fi

# ---- order: made-up runs, clauses by the thousand, the programs of examples/epa ----
${CC:-gcc} -std=gnu17 -D_GNU_SOURCE -I. -O2 bench/ordergen.c -o "$work/ordergen" || die "cannot build ordergen"
make -s B="$build" bench-programs || die "cannot build what measures"
determinism_of() {                              # <figure> <trace>
	"$work/measure" -m -o "$work/verdict" -- "$raddle" determinism --json "$2" > "$work/line" 2> "$work/err"
	read -r cpu wall kb code < "$work/line"
	[ "$code" -le 1 ] || die "no verdict on $1: $(tail -2 "$work/err")"
	put "order.$1.events" "$(tail -1 "$work/verdict" | grep -o '"events":[0-9]*' | cut -d: -f2)"
	put "order.$1.verdict" "\"$(tail -1 "$work/verdict" | grep -o '"verdict":"[a-z-]*"' | cut -d'"' -f4)\""
	put "order.$1.cpu" "$cpu"
	put "order.$1.mb" "$(calc %.0f "$kb / 1024")"
}
. bench/sizes.sh
say "order"
"$work/ordergen" 1000000 100000 64 > "$work/made.txt"
determinism_of sections "$work/made.txt"
for p in quicksort pca kmeans blackscholes swaptions; do
	"$build/raddle-cc" --raddle=full -g -O1 -pthread "$(size_of $p)" "examples/epa/$p.c" -o "$work/epa" -lm || die "cannot build $p"
	"$raddle" record -o "$work/epa.trace" -- "$work/epa" > /dev/null 2> "$work/err" || die "cannot record $p"
	determinism_of "$p" "$work/epa.trace"
done
put order.clauses.cpu "$("$build/bench/solve" 100000 10000 | grep -o '[0-9.]* s$' | sort -n | tail -1 | cut -d' ' -f1)"

# ---- races: made-up runs of 10^5, 10^6 and 10^7 events; short runs with the detector and without ----
say "races"
while read -r _ count ns kb; do
	put "races.events.$count.ns" "$ns"
	put "races.events.$count.kb" "$kb"
done < <("$build/bench/races" events | sed 's/^events \([0-9]*\): \([0-9]*\) ns an event, \([0-9]*\) KB.*/events \1 \2 \3/')
while read -r _ count how ns kb; do
	put "races.places.$count.$how.ns" "$ns"
	put "races.places.$count.$how.kb" "$kb"
done < <("$build/bench/races" places | sed 's/^places \([0-9]*\) \([a-z]*\): \([0-9]*\) ns an event, \([0-9]*\) KB.*/places \1 \2 \3 \4/')
"$build/raddle-cc" -g -O1 -pthread bench/short.c -o "$work/short" || die "cannot build short"
while read -r how rate; do
	put "races.runs.$how.per_second" "$rate"
done < <("$build/bench/races" runs 2000 "$work/short" | sed 's/^runs \([a-z]*\) the detector: \([0-9]*\) .*/\1 \2/')

{ echo "{"; printf '  %s' "${figures[0]}"; printf ',\n  %s' "${figures[@]:1}"; echo; echo "}"; } > "$out"

# ---- a page for people ----
page() {
	echo "# What raddle costs"
	echo
	echo "Written by \`make bench\` on $(get date | tr -d '"'), $(get cores) cores of $(get cpu | tr -d '"'), median of $rounds rounds."
	echo "CPU time of all processes (the recorder's too) over that of plain \`clang-19 -O2\`, same input, rounds interleaved."
	echo "Load average of the machine $(get load.before) before and $(get load.after) after: above its number of cores others were at work, and ratios"
	echo "of a few tenths mean little."
	echo
	echo "| kernel | plain, s | TSan | built, not recorded | \`--last=8M\` | level sync | access build at \`--level=sync\` | to disk | bytes an event | M events/s | extra memory, MB |"
	echo "|---|---|---|---|---|---|---|---|---|---|---|"
	for k in $kernels; do
		echo "| $k | $(get "$k.plain.cpu") | $(get "$k.tsan.ratio") | $(get "$k.idle.ratio") | $(get "$k.last.ratio") | $(get "$k.sync.ratio") | $(get "$k.lowered.ratio") | $(get "$k.disk.ratio") | $(get "$k.disk.bytes_per_event") | $(calc %.1f "$(get "$k.disk.events_per_cpu_second") / 1e6") | $(get "$k.last.extra_mb") |"
	done
	echo "| **geometric mean** | | $(get tsan.geomean) | $(get idle.geomean) | $(get last.geomean) | $(get sync.geomean) | $(get lowered.geomean) | $(get disk.geomean) | | | |"
	echo "| **largest** | | $(get tsan.max) | $(get idle.max) | $(get last.max) | $(get sync.max) | $(get lowered.max) | $(get disk.max) | $(get disk.bytes_per_event.max) | | $(get last.extra_mb.max) |"
	echo
	echo "\"To disk\" runs a smaller input and compares with plain on that; M events/s counts recorded events a second of CPU of program"
	echo "and recorder together.  Extra memory: largest proportional set size of program and recorder under \`--last=8M\`, less plain's."
	echo
	echo "Growth, parallel quicksort recorded to disk:"
	echo
	echo "| events | MB | recording, CPU s | \`raddle info\`, CPU s | M events/s read | \`raddle determinism\`, CPU s | its memory, MB |"
	echo "|---|---|---|---|---|---|---|"
	for g in 100000 1000000 10000000 100000000; do
		[ -n "$(get "growth.$g.events")" ] || continue
		echo "| $(get "growth.$g.events") | $(calc %.1f "$(get "growth.$g.bytes") / 1e6") | $(get "growth.$g.record_cpu") | $(get "growth.$g.info_cpu") | $(calc %.1f "$(get "growth.$g.info_events_per_second") / 1e6") | $(get "growth.$g.determinism_cpu") | $(get "growth.$g.determinism_mb") |"
	done
	echo
	echo "\`raddle determinism\`, CPU seconds with reading; \"sections\" is a made-up run, 100,000 critical sections of 64 threads, as text; the others are"
	echo "programs of examples/epa with as many instructions as the literature has, each of them an event:"
	echo
	echo "| run | events | verdict | CPU s | memory, MB |"
	echo "|---|---|---|---|---|"
	for p in sections quicksort pca kmeans blackscholes swaptions; do
		echo "| $p | $(get "order.$p.events") | $(get "order.$p.verdict" | tr -d '"') | $(get "order.$p.cpu") | $(get "order.$p.mb") |"
	done
	echo
	echo "100,000 events with 10,000 disjunctions of order, by the engine's solver: $(get order.clauses.cpu) s."
	echo
	echo "The race detector, a million events of 4 threads that touch one word from many places of the program (\`bench/races.c\`):"
	echo
	echo "| places | under a lock, ns an event | with none, ns an event | memory, KB |"
	echo "|---|---|---|---|"
	for n in 10 100 1000 10000 100000; do
		echo "| $n | $(get "races.places.$n.locked.ns") | $(get "races.places.$n.racing.ns") | $(get "races.places.$n.locked.kb") |"
	done
	echo
	cat "$work/steer"
	echo
	cat "$work/hunt"
	echo
	cat "$work/restart"
	echo
	cat "$work/kept"
	echo
	cat "$work/check"
	echo
	cat "$work/predict"
	echo
	cat "$work/epa"
}
bench/steer.sh "$build" --rounds="$rounds" > "$work/steer"
bench/restart.sh "$build" > "$work/restart"
bench/kept.sh "$build" > "$work/kept"
bench/check.sh "$build" ${quick:+--quick} > "$work/check" || die "check"
{ echo; bench/thesis.sh "$build"; } >> "$work/check" || die "thesis"
bench/predict.sh "$build" ${quick:+--most=1000000} > "$work/predict" || die "predict"
bench/epa.sh "$build" ${quick:+--faults=20} > "$work/epa" || die "epa"
if [ -z "$hunt" ]; then
	awk '/^Runs until a planted bug shows/ { on = 1 } on && /^$/ && table { on = 0 } /^\|/ { table = on } on' docs/bench.md
elif [ -n "$quick" ]; then bench/hunt.sh "$build" --seeds=1 --native=10
else bench/hunt.sh "$build"
fi > "$work/hunt"
if [ "$out" = bench/results.json ]; then
	page > docs/bench.md
	cat docs/bench.md
else
	page
fi
