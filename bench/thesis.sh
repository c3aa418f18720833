#!/bin/bash
# bench/thesis.sh -- the programs maximal causality reduction was shown on, rewritten in C (tests/run/check/thesis-*): how many executions `raddle
# check` makes of each, and how many until the first bug, beside what the thesis has for its Java programs of these names.
#   bench/thesis.sh [<build dir>]      prints a table in Markdown; fails if a bug is missed or an execution is made twice
# The rewritten programs are smaller, but for RVExample, which is the same: its 107 are those of maximal causality.
set -u
cd "$(dirname "$0")/.." || exit 1
top=$PWD
build=$(cd "${1:-build}" && pwd) || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

# number <key> <options>...: of the summary of a check of ./prog
number() { local key=$1; shift; "$build/raddle" check --json "$@" -- ./prog 2> err | tail -1 | grep -o "\"$key\":[0-9]*" | cut -d: -f2; rm -f fail-*; }
# row <name> <program> <MCR, SC/TSO/PSO> <MCR, all of SC> <with switch equivalence>
row() {
	local all='' model executions classes
	"$build/raddle-cc" -g -O1 -pthread -I "$top/tests/run/check" "$top/tests/run/check/$2/prog.c" -o prog || exit 1
	for model in sc tso pso; do
		executions=$(number executions --keep-going --model=$model) classes=$(number classes --keep-going --model=$model)
		[ -n "$classes" ] && [ "$executions" = "$classes" ] || { echo "thesis.sh: $1 $model: $executions executions, $classes classes" >&2; exit 1; }
		all+=${all:+/}$executions
	done
	[ "$2" != thesis-rv ] || { "$build/raddle-cc" -g -O1 -pthread "$top/tests/run/check/thesis-rv-ends/prog.c" -o prog || exit 1; }
	[ "$(number errors)" = 1 ] || { echo "thesis.sh: $1: no bug found" >&2; exit 1; }
	echo "| $1 | $all | $(number executions) | $3 | $4 | $5 |"
}

cat <<-'END'
	The programs of the thesis on maximal causality reduction (MCR), rewritten in C; executions:

	| program | all behaviours, SC/TSO/PSO | to the first bug, SC | thesis: MCR, SC/TSO/PSO | thesis: MCR, SC, larger | thesis: with switch equivalence |
	|---|---|---|---|---|---|
END
row RVExample thesis-rv 57/64/70 107 77
row Account thesis-account 7/12/12 27830 14124
row Airline thesis-airline 8/11/11 2222 1354
row Allocation thesis-allocation 30/30/30 169 113
row PingPong thesis-pingpong 411/483/527 411 282
row StringBuf thesis-stringbuf 3/3/3 8 8
row BubbleSort thesis-bubble - 29148 8084
