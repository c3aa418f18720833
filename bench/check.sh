#!/bin/bash
# bench/check.sh -- what it costs to execute every behaviour of a test, and how that grows with its reads and threads.
#   bench/check.sh [<build dir>] [--quick]      prints tables in Markdown; fails if an execution is made twice or a class is missing
set -u
cd "$(dirname "$0")/.." || exit 1
build=build quick=
for word; do case $word in --quick) quick=1 ;; *) build=$word ;; esac; done
build=$(cd "$build" && pwd) || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export LC_ALL=C
${CC:-gcc} -std=gnu17 -D_GNU_SOURCE -O2 bench/measure.c -o "$work/measure" || exit 1

# one <program> <n> <model> [<argument>]: sets classes, cpu, mb
one() {
	local wall kb code executions
	[ -x "$work/$1-$2" ] || "$build/raddle-cc" -O2 -pthread "-D${1^^}" "-DN=$2" bench/checks.c -o "$work/$1-$2" || exit 1
	"$work/measure" -o "$work/out" -- "$build/raddle" check "--model=$3" --json -- "$work/$1-$2" ${4-} > "$work/line" || exit 1
	read -r cpu wall kb code < "$work/line"
	"$work/measure" -m -o "$work/again" -- "$build/raddle" check "--model=$3" --json -- "$work/$1-$2" ${4-} > "$work/line" || exit 1
	read -r _ _ kb _ < "$work/line"
	mb=$(awk "BEGIN { printf \"%.1f\", $kb / 1024 }")
	classes=$(grep -o '"classes":[0-9]*' "$work/out" | cut -d: -f2)
	executions=$(grep -o '"executions":[0-9]*' "$work/out" | cut -d: -f2)
	[ "$code" = 0 ] && [ "$classes" = "$executions" ] || { echo "check.sh: $1-$2 $3: exit $code, $executions executions, $classes classes" >&2; exit 1; }
}
row() {
	one "$@"
	echo "| $1-$2${4:+, $4 steps} | $3 | $classes | $cpu | $(awk "BEGIN { printf \"%d\", ($cpu > 0) ? $classes / $cpu : 0 }") | $mb |"
}

cat <<-'END'
	`raddle check`, every behaviour of a test executed once (bench/checks.c); CPU seconds of raddle and the program together, memory of all processes at
	its most:

	| test | model | classes | CPU s | classes a second | MB |
	|---|---|---|---|---|---|
END
for n in 3 4 5 ${quick:-6}; do [ "$n" = 1 ] || row counter "$n" sc; done
for model in sc tso pso; do row psobug 4 $model; done
for n in 8 16 32 64; do row samew $n sc; done
row samew 64 pso
for n in 2 4 8 ${quick:-12}; do [ "$n" = 1 ] || row readers "$n" sc; done
for n in 0 1000000; do row steps 1 sc $n; done
