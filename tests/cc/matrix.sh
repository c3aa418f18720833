#!/bin/bash
# tests/cc/matrix.sh -- a program built with raddle-cc prints what it prints built with plain clang, however it is built.
. "$(dirname "$0")/lib.sh"

# try <name> <compiler> <source> <flags>...: build, run outside the recorder, compare output and exit code
try() {
	local name=$1 compiler=$2 source=$3
	shift 3
	if ! "$compiler" "$@" "$source" -o prog -lm > log 2>&1; then
		fail "$name" "does not build: $(tail -3 log)"
		return
	fi
	./prog a b > out 2>&1
	echo "exit $?" >> out
	same "$name" out "$work/want.${source##*.}"
}

clang-19 -pthread "$src/work.c" -o plain && { ./plain a b; echo "exit $?"; } > want.c 2>&1
clang++-19 -pthread -std=c++17 "$src/work.cpp" -o plain && { ./plain a b; echo "exit $?"; } > want.cpp 2>&1

for level in -O0 -O1 -O2 -O3; do
	for how in "" -static -flto -flto=thin "-fPIC -pie" "-fno-pie -no-pie" "--raddle=sync" "--raddle-source" "--raddle=full"; do
		case "$level $how" in "-O1 -flto"*|"-O3 -static") [ -n "${QUICK-}" ] && continue ;; esac
		try "C $level $how" "$cc" "$src/work.c" -pthread $level $how
		try "C++ $level $how" "$cxx" "$src/work.cpp" -pthread -std=c++17 $level $how
	done
done
try "C -static-pie" "$cc" "$src/work.c" -pthread -O2 -static-pie
try "C -static -flto" "$cc" "$src/work.c" -pthread -O2 -static -flto
try "C++ -static -flto=thin" "$cxx" "$src/work.cpp" -pthread -std=c++17 -O2 -static -flto=thin
try "C -ffat-lto-objects" "$cc" "$src/work.c" -pthread -O2 -flto -ffat-lto-objects
try "C -flto=2, as gcc spells it" "$cc" "$src/work.c" -pthread -O2 -flto=2
try "C -g3 -gsplit-dwarf" "$cc" "$src/work.c" -pthread -O2 -g3 -gsplit-dwarf
try "C --as-needed -z defs" "$cc" "$src/work.c" -pthread -O2 -Wl,--as-needed -Wl,-z,defs
try "C with lld" "$cc" "$src/work.c" -pthread -O2 -fuse-ld=lld
try "C -save-temps" "$cc" "$src/work.c" -pthread -O2 -save-temps=obj
try "C -O2 -mtune=haswell" "$cc" "$src/work.c" -pthread -O2 -ffp-contract=off -mtune=haswell

# The plugin runs once, whatever the road: one table of sites for one source file.
tables() { objcopy -O binary --only-section=raddle_sites --set-section-flags raddle_sites=alloc "$1" sites.bin && grep -ao RDSITES1 sites.bin | wc -l; }
for how in "" -flto -flto=thin "-flto -ffat-lto-objects" -save-temps=obj; do
	"$cc" -O2 -pthread $how "$src/work.c" -o prog > log 2>&1
	is "one table of sites $how" "$(tables prog)" 1
done
"$cc" -O2 -pthread -S -emit-llvm "$src/work.c" -o work.ll && "$cc" -O2 -pthread work.ll -o prog > log 2>&1
is "one table of sites through a .ll file" "$(tables prog)" 1

# One instrumented and one plain library in one process.
for level in -O0 -O2; do
	clang-19 $level -shared -fPIC -DPART=part_plain "$src/part.c" -o libplain.so -pthread
	clang-19 $level -shared -fPIC -DPART=part_seen "$src/part.c" -o libseen.so -pthread
	clang-19 $level "$src/parts.c" -L. -lseen -lplain -Wl,-rpath,"$work" -o prog -pthread && ./prog > want.parts
	expect "shared library $level" "$cc" $level -shared -fPIC -DPART=part_seen "$src/part.c" -o libseen.so -pthread
	expect "shared library is instrumented $level" instrumented libseen.so
	expect "shared library needs the runtime $level" has_runtime libseen.so
	expect "program of two libraries $level" "$cc" $level "$src/parts.c" -L. -lseen -lplain -Wl,-rpath,"$work" -o prog -pthread
	./prog > out 2>&1
	same "output of two libraries $level" out want.parts
	clang-19 $level "$src/parts.c" -L. -lseen -lplain -Wl,-rpath,"$work" -o prog -pthread
	./prog > out 2>&1
	same "plain program, instrumented library $level" out want.parts
done
closing
