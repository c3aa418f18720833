#!/bin/bash
# tests/cc/steered.sh -- a program whose steered bodies run, one thread at a time in an order drawn by chance, prints what it
# prints built with plain clang, however it is built; and what the plugin writes is sound in LLVM's eyes.
. "$(dirname "$0")/lib.sh"

steered=$build/tests/steered
[ -x "$steered" ] || { fail "steered" "'$steered' is not built (run 'make $steered' first)"; closing; exit; }

# try <name> <seed> <compiler> <source> <flags>...
try() {
	local name=$1 seed=$2 compiler=$3 source=$4
	shift 4
	if ! "$compiler" "$@" "$source" -o prog -lm > log 2>&1; then
		fail "$name" "does not build: $(tail -3 log)"
		return
	fi
	timeout 100 "$build/raddle" record -o run.trace -- "$steered" "$seed" ./prog a b > out 2> err
	echo "exit $?" >> out
	grep -q '^exit 12[0-9]' out && head -3 err
	same "$name" out "want.${source##*/}"
	rm -f run.trace*
}

# sound <name> <compiler> <source> <flags>...: the module verifies, and has steered bodies
sound() {
	local name=$1 compiler=$2 source=$3
	shift 3
	"$compiler" "$@" -S -emit-llvm "$source" -o prog.ll > log 2>&1 && opt-19 -passes=verify -disable-output prog.ll >> log 2>&1 &&
		grep -q 'call preserve_mostcc i64 @raddle_load' prog.ll
	is "$name" "$? $(head -3 log)" "0 "
}

wants() {
	"$1" -pthread "${@:3}" "$src/$2" -o plain -lm && { ./plain a b; echo "exit $?"; } > "want.$2" 2>&1
}
wants clang-19 work.c
wants clang-19 shapes.c -O2
wants clang++-19 work.cpp -std=c++17

seed=0
for level in -O0 -O1 -O2 -O3 -Os; do
	for how in "" "-g -flto" "-fPIC -pie --raddle-source" "-static -fstack-protector-all"; do
		seed=$((seed + 1))
		[ -n "${SOAK:-}" ] || [ $((seed % 3)) = 1 ] || continue          # a third of them meets every level and every way
		try "C $level $how" $seed "$cc" "$src/work.c" -pthread $level $how
		try "shapes $level $how" $seed "$cc" "$src/shapes.c" -pthread $level $how
		try "C++ $level $how" $seed "$cxx" "$src/work.cpp" -pthread -std=c++17 $level $how
	done
	for how in -g --raddle-source; do
		sound "shapes $level $how verify" "$cc" "$src/shapes.c" -pthread $level $how
		sound "C++ $level $how verifies" "$cxx" "$src/work.cpp" -pthread -std=c++17 $level $how
	done
done
try "shapes -O3 -mavx2" 7 "$cc" "$src/shapes.c" -pthread -O3 -mavx2 -ffp-contract=off

# Recorded at sync level, plain accesses are nobody's business.
"$cc" --raddle=sync -O2 -S -emit-llvm "$src/shapes.c" -o prog.ll > log 2>&1
is "sync: no hooks of accesses" "$(grep -c 'raddle_load\|raddle_store\|raddle_touch' prog.ll)" 0
closing
