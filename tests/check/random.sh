#!/bin/bash
# tests/check/random.sh -- random programs: `raddle check` executes as many behaviours as the oracle finds, each once, under each memory model,
# and its certificate holds.
#   tests/check/random.sh BUILD FIRST LAST [large|libc]        seeds; programs of more than 300 behaviours are left out
set -u
cd "$(dirname "$0")/../.." || exit 1
top=$PWD
case $1 in /*) build=$1 ;; *) build=$top/$1 ;; esac
export PATH=$build:$PATH
room=$(mktemp -d) || exit 1
trap 'rm -rf "$room"' EXIT
cd "$room" || exit 1
passed=0 failed=0 large=0
for seed in $(seq "$2" "$3"); do
	"$build/tests/made" "$seed" model prog.c ${4-} || exit 1
	raddle-cc -g -O$((seed % 3)) -w -pthread -I "$top/tests/run/check" prog.c -o prog || exit 1
	for model in sc tso pso; do
		said=$("$build/tests/oracle" $model model) || { echo "FAIL seed $seed: the oracle does not read it"; failed=$((failed + 1)); continue; }
		classes=$(sed -E 's/.* classes ([0-9]+) .*/\1/' <<< "$said")
		if [ "$classes" -gt 300 ]; then large=$((large + 1)); continue; fi
		verdict=$(case $said in *"deadlocks 0 "*"ended 0 "*) echo safe ;; *) echo bug ;; esac)
		rm -f it.cert
		timeout -k 5 300 raddle check --keep-going --model=$model --certificate it.cert --json -- ./prog > out 2> err
		if tail -1 out | grep -q "\"verdict\":\"$verdict\",\"executions\":$classes,\"classes\":$classes,"; then
			passed=$((passed + 1))
			raddle verify-certificate it.cert -- ./prog > out 2> err && passed=$((passed + 1)) || { failed=$((failed + 1)); echo "FAIL seed $seed $model: certificate"; cat out err; }
		else
			failed=$((failed + 1)); echo "FAIL seed $seed: $said"; tail -1 out; cat err
		fi
		rm -f fail-*
	done
done
echo "$large of more than 300 behaviours left out"
echo "$passed passed, $failed failed"
[ $failed = 0 ]
