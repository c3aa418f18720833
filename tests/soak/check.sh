#!/bin/bash
# tests/soak/check.sh -- checks one small program again and again, three at a time: the same behaviours each time, and never a bug.
#   tests/soak/check.sh <runs>        The program of tests/run/check/joined, at -O0 and -O2, under SC, TSO and PSO; raddle is found on PATH.
set -u
runs=$1
root=$(cd "$(dirname "$0")/../.." && pwd) || exit 1
room=$(mktemp -d "${TMPDIR:-/tmp}/raddle-soak.XXXXXX") || exit 1
trap 'rm -rf "$room"' EXIT
cd "$room" || exit 1
sed -n "/^cat > prog.c/,/^C\$/p" "$root/tests/run/check/joined/cmd" | sed '1d;$d' > prog.c
for level in 0 2; do
	raddle-cc -g -O$level -pthread prog.c -o prog$level || exit 1
done

# Run number i, in a folder of its own: says so if it is not as it must be.
one() {
	local i=$1 model level said
	model=$(set -- sc tso pso; shift $((i % 3)); echo "$1")
	level=$((i / 3 % 2 * 2))
	mkdir "$i" && cd "$i" || return
	said=$(raddle check --model="$model" -- "../prog$level" 2>&1)
	case $said in
	"safe: all 6 behaviours "*) ;;
	*) echo "FAIL run $i (-O$level, $model): $said" | head -20 ;;
	esac
	cd .. && rm -rf "$i"
}
export -f one
seq 1 "$runs" | xargs -P 3 -I{} bash -c 'one {}' > failed
cat failed
failed=$(grep -c '^FAIL' failed)
echo "$((runs - failed)) passed, $failed failed"
[ "$failed" = 0 ]
