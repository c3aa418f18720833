#!/bin/bash
# tests/model/altered.sh -- the model against runs in which one read returned something else: every program of the tests and examples is
# built at level full and recorded; then again with one bit of one read flipped (raddle inject), and tests/model/witness.c holds what each thread
# did otherwise from there on, by values or by another way, against the model's answers.
#   tests/model/altered.sh [<program source>...]
# Environment: RADDLE_BUILD (default build), SITES (reads altered in each, default 6), EVERY=n (every nth program), JOBS (default: processors).
set -u
cd "$(dirname "$0")/../.." || exit 1
build=$(cd "${RADDLE_BUILD:-build}" && pwd) || exit 1
export RADDLE_BUILD=$build PATH=$build:$PATH ROOT=$PWD SITES=${SITES:-6} NO_COLOR=1
setarch -R true 2> /dev/null || { echo "0 passed, 0 failed, 1 skipped"; exit 0; }      # addresses must be the same in each run
room=$(mktemp -d "${TMPDIR:-/tmp}/raddle-altered.XXXXXX") || exit 1
trap 'rm -rf "$room"' EXIT
export ROOM=$room

one() {
	local source=$1 here compiler=raddle-cc language='' flags='' site bit=0
	here=$(mktemp -d "$ROOM/XXXXXX") && cd "$here" || return
	case $source in *.cpp) compiler=raddle-c++ language=-std=c++20 ;; esac
	[ -e "$ROOT/${source%/*}/flags" ] && flags=$(< "$ROOT/${source%/*}/flags")
	# shellcheck disable=SC2086
	timeout 60 $compiler --raddle=full -g -O1 $language -pthread "$ROOT/$source" -o prog $flags -lm > build.log 2>&1 || { echo "skip $source: not built"; return; }
	{ timeout -k 1 5 setarch -R raddle record -o golden.trace -- ./prog > /dev/null 2>&1 < /dev/null; } 2> /dev/null
	case $? in 124 | 137) echo "skip $source: too long"; return ;; esac
	[ -e golden.trace ] && [ "$(stat -c %s golden.trace)" -lt 3000000 ] || { echo "skip $source: no trace, or a long one"; return; }
	# Threads that make threads get stacks as others happen to end: addresses, which are values here, differ in runs that do the same.
	raddle show --text golden.trace 2> /dev/null | awk '$2 == "stack" && seen[$3]++ { again = 1 } $2 == "fork" && $1 != "T_0" { nested = 1 } END { exit again && nested }' ||
		{ echo "skip $source: stacks are given out as threads happen to end"; return; }
	raddle sites golden.trace 2> /dev/null | sed -n 's/^\([^ ]*\)  .*: read .*(\(.*\))$/\1:\2/p' | awk -v most="$SITES" '{ all[NR] = $0 }
		END { step = NR > most ? NR / most : 1; for (i = 1; i <= NR; i += step) print all[int(i)] }' > sites
	while read -r site; do
		bit=$(((bit + 3) % 8))
		{ timeout -k 1 5 setarch -R raddle inject --limit=4 --fault=BitFlip:$bit --at="$site@1" -o altered.trace -- ./prog > /dev/null 2>&1 < /dev/null; } 2> /dev/null
		[ -e altered.trace ] || continue
		timeout 60 "$RADDLE_BUILD/tests/witness" prog golden.trace altered.trace > out 2>&1
		case $? in
		0) tail -1 out >> good ;;
		124) ;;
		3) grep -q 'has no bitcode' out && echo "skip $source: $(< out)" || { echo "FAIL $source"; cat out; } ;;
		*) echo "FAIL $source: BitFlip:$bit at $site@1"; tail -5 out ;;
		esac
		rm -f altered.trace*
	done < sites
	[ -e good ] && awk -v s="$source" '{ d += $1; sub(/.*everything., /, "") } END { printf "ok %s: %d altered, %d dependences\n", s, NR, d }' good
	rm -rf "$here"
}
export -f one

if [ $# -gt 0 ]; then printf '%s\n' "$@"; else
	ls tests/run/*/*/prog.c tests/run/*/*/prog.cpp examples/*.c examples/*/*.c 2>/dev/null
fi | awk -v every="${EVERY:-1}" 'NR % every == 1 || every == 1' | xargs -P "${JOBS:-$(nproc)}" -I{} bash -c 'one {}' > "$room/log"
grep -A 5 '^FAIL' "$room/log"
passed=$(grep -c '^ok' "$room/log") failed=$(grep -c '^FAIL' "$room/log") skipped=$(grep -c '^skip' "$room/log")
awk '/^ok/ { for (i = 2; i < NF; i++) { if ($(i + 1) == "altered,") a += $i; if ($(i + 1) == "dependences") d += $i } } END { printf "%d reads altered, %d dependences seen\n", a, d }' "$room/log"
[ -n "${V:-}" ] && cat "$room/log"
echo "$passed passed, $failed failed$([ "$skipped" = 0 ] || echo ", $skipped skipped")"
[ "$failed" = 0 ]
