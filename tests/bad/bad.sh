#!/bin/bash
# tests/bad/bad.sh -- damaged traces through the program: cut short, bit-flipped, of another version, no trace at all.
# Each must end with exit 3, one line that names the file (and hints behind it), never a crash; with --salvage it may end
# with 0.  The same at every byte, through the library, is tests/unit/trace_bad.c.   Environment: RADDLE_BUILD, STEPS.
set -u
cd "$(dirname "$0")/../.." || exit 1
build=$(cd "${RADDLE_BUILD:-build}" && pwd) || exit 1
root=$PWD
PATH=$build:$PATH
room=$(mktemp -d "${TMPDIR:-/tmp}/raddle-bad.XXXXXX") || exit 1
trap 'rm -rf "$room"' EXIT
cd "$room" || exit 1
steps=${STEPS:-60} passed=0 failed=0

# expect <exit codes> <what it is> <command...>
expect() {
	local codes=$1 what=$2 code
	shift 2
	"$@" > out 2> err
	code=$?
	case " $codes " in
	*" $code "*) ;;
	*) echo "FAIL $what: exit $code, expected one of $codes"; head -3 err; failed=$((failed + 1)); return ;;
	esac
	if [ $code = 3 ] && { [ "$(grep -vc '^hint: ' err)" != 1 ] || ! grep -q "^raddle: .*'" err; }; then
		echo "FAIL $what: not one line that names the file"; cat err; failed=$((failed + 1)); return
	fi
	passed=$((passed + 1))
}

raddle-cc -O1 -pthread "$root/examples/bank.c" -o bank && raddle record -- ./bank 20 > /dev/null 2>&1 || exit 1
raddle show --text > bank.txt || exit 1
size=$(stat -c %s run.trace)

expect 3 "empty" raddle info /dev/null
: > empty; expect 3 "empty file" raddle info empty
expect 3 "directory" raddle info .
expect 3 "no such file" raddle info nothing-here
expect 3 "an executable" raddle info bank
cp run.trace version.trace; printf '\x63' | dd of=version.trace bs=1 seek=8 conv=notrunc status=none
expect 3 "another version" raddle info version.trace
printf 'order: total\n0 leap X\n' > odd.txt; expect 3 "unknown event" raddle info odd.txt
perl -e 'srand 1; print map { chr rand 256 } 1 .. 100000' > noise; expect 3 "noise" raddle info noise

for i in $(seq 1 "$steps"); do
	at=$((size * i / (steps + 1)))
	head -c $at run.trace > cut.trace
	expect 3 "cut at $at" raddle info cut.trace
	expect "0 3" "cut at $at, salvaged" raddle info --salvage cut.trace
	cp run.trace flip.trace
	byte=$(od -An -tu1 -j $at -N 1 run.trace)
	printf "\\x$(printf %02x $((byte ^ (1 << i % 8))))" | dd of=flip.trace bs=1 seek=$at conv=notrunc status=none
	expect 3 "bit flipped at $at" raddle show flip.trace
	expect "0 3" "bit flipped at $at, salvaged" raddle show --salvage flip.trace
done
lines=$(wc -l < bank.txt)
for i in $(seq 1 "$steps"); do
	at=$(($(stat -c %s bank.txt) * i / (steps + 1)))
	head -c $at bank.txt > cut.txt
	expect 3 "text cut at $at" raddle info cut.txt
	sed "$((lines * i / (steps + 1)))s/[a-z]* /zz /2" bank.txt > odd.txt
	expect "0 3" "text with an odd word in line $((lines * i / (steps + 1)))" raddle show odd.txt
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
