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
${CC:-gcc} -std=gnu17 -D_GNU_SOURCE -O2 "$root/bench/often.c" -o often || exit 1
libraries=$(sed -n 's/^HOST_LIBS *:= *//p' "$root/Makefile")
# shellcheck disable=SC2086
${CC:-gcc} -std=gnu17 -D_GNU_SOURCE -I"$root" -O2 "$root/bench/needed.c" "$build/libraddle-host.a" $libraries -o needed || exit 1

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
	heap=unique
	grep -qs heap=reuse "$dir/how" && heap=reuse
	depth=$(grep -o 'Depth [0-9]' "$source" | head -1 | cut -d' ' -f2)
	printf '| %s ' "$(basename "$dir")" "$depth" "$(./needed random "$seeds" $most $heap ./prog)" \
		"$(./needed pct "$seeds" $most $heap ./prog)" "$(./needed pos "$seeds" $most $heap ./prog)" \
		"$(./needed mix "$seeds" $most $heap ./prog)" "$(./often "$native" ./plain)"
	echo '|'
done
