#!/bin/bash
# tests/check/varied.sh -- programs of varied.c: `raddle check` says `safe` of none that fails, `bug` of none that does not.
#   tests/check/varied.sh BUILD FIRST LAST       seeds; every other is C++, levels of optimisation and memory models take turns or are all taken
# MODELS: "sc tso pso", or fewer.  The oracle (tests/check/machine.c) shares no code with raddle.  Left out: what it is not sure to call a race.
# An `incomplete` is no wrong verdict; its reasons are counted at the end.
set -u
cd "$(dirname "$0")/../.." || exit 1
top=$PWD
case $1 in /*) build=$1 ;; *) build=$top/$1 ;; esac
export PATH=$build:$PATH
room=$(mktemp -d) || exit 1
trap 'rm -rf "$room"' EXIT
cd "$room" || exit 1
passed=0 failed=0 unsure=0 incomplete=0

expected() {
	case $1 in
	*"deadlocks 0 failed 0 "*" races "[1-9]*) echo bug ;;
	*"deadlocks 0 failed 0 "*" races 0 unsure "[1-9]*) echo unsure ;;
	*"deadlocks 0 failed 0 "*) echo safe ;;
	*) echo bug ;;
	esac
}

for seed in $(seq "$2" "$3"); do
	source=prog.c compiler=raddle-cc
	[ $((seed % 2)) = 1 ] && source=prog.cpp compiler=raddle-c++
	"$build/tests/varied" "$seed" model $source || exit 1
	$compiler -g -O$((seed / 2 % 3)) -w -pthread -I "$top/tests/check" $source -o prog || { echo "FAIL seed $seed: not built"; failed=$((failed + 1)); continue; }
	for model in ${MODELS:-sc tso pso}; do
		said=$("$build/tests/oracle" "$model" model) || { echo "FAIL seed $seed: the oracle does not read it"; failed=$((failed + 1)); continue; }
		want=$(expected "$said")
		[ "$want" = unsure ] && { unsure=$((unsure + 1)); continue; }
		timeout -k 5 120 raddle check --model="$model" --json -- ./prog > out 2> err
		got=$(tail -1 out | sed -nE 's/.*"verdict":"([a-z]*)".*/\1/p')
		case $got in
		"$want") passed=$((passed + 1)) ;;
		incomplete) incomplete=$((incomplete + 1)); tail -1 out | sed -nE 's/.*"why":"([^"]*)".*/\1/p' >> reasons ;;
		*) failed=$((failed + 1)); echo "FAIL seed $seed $model -O$((seed / 2 % 3)): ${got:-no verdict}, expected $want: $said"; tail -2 err ;;
		esac
		rm -f fail-* race-*
	done
done
[ -f reasons ] && sort reasons | uniq -c | sort -rn | head -20
echo "$incomplete incomplete, $unsure left out"
echo "$passed passed, $failed failed"
[ $failed = 0 ]
