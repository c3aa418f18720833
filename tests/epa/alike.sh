#!/bin/bash
# tests/epa/alike.sh -- the deterministic programs of examples/epa at level full, run again and again without a fault (tests/epa/alike.c).
#   tests/epa/alike.sh <build dir> <runs> [<jobs>]
set -u
cd "$(dirname "$0")/../.." || exit 1
build=$(cd "$1" && pwd) || exit 1
state=$build/alike
mkdir -p "$state" || exit 1
programs=
for p in quicksort:-DPART=2 pca:-DCOLUMNS=3 kmeans:-DPOINTS=16 blackscholes:-DOPTIONS=60 swaptions:-DTRIALS=1 matmul grow stencil lookup relay slices; do
	n=${p%%:*} size=
	[ "$p" = "$n" ] || size=${p#*:}
	source=examples/epa/$n.c cc=raddle-cc
	[ -f "$source" ] || source=examples/epa/$n.cpp cc=raddle-c++
	# shellcheck disable=SC2086
	"$build/$cc" --raddle=full -g -O1 -pthread $size "$source" -o "$state/$n" -lm || exit 1
	programs="$programs $state/$n"
done
# What was counted is of these very programs, this runtime and this tool: others begin anew.
# shellcheck disable=SC2086
mark=$(cat $programs "$build/tests/alike" "$(find "$build/" -name libraddle-rt.so | head -1)" | sha1sum | cut -c1-10)
# shellcheck disable=SC2086
exec "$build/tests/alike" "$state/counts-$mark" "$2" "${3:-2}" $programs
