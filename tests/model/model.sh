#!/bin/bash
# tests/model/model.sh -- the model against runs: every program of the tests and examples is built and steered through some random
# schedules, and tests/model/witness.c holds the traces against the model's answers.
#   tests/model/model.sh [<program source>...]
# Environment: RADDLE_BUILD (default build), SEEDS (default 3), LEVEL (of optimisation, default -O1), EVERY=n (every nth program), JOBS (default: processors).
set -u
cd "$(dirname "$0")/../.." || exit 1
build=$(cd "${RADDLE_BUILD:-build}" && pwd) || exit 1
export RADDLE_BUILD=$build PATH=$build:$PATH ROOT=$PWD SEEDS=${SEEDS:-3} LEVEL=${LEVEL:--O1} NO_COLOR=1
room=$(mktemp -d "${TMPDIR:-/tmp}/raddle-model.XXXXXX") || exit 1
trap 'rm -rf "$room"' EXIT
export ROOM=$room

one() {
	local source=$1 here compiler=raddle-cc language='' flags='' seed
	here=$(mktemp -d "$ROOM/XXXXXX") && cd "$here" || return
	case $source in *.cpp) compiler=raddle-c++ language=-std=c++20 ;; esac
	[ -e "$ROOT/${source%/*}/flags" ] && flags=$(< "$ROOT/${source%/*}/flags")
	# shellcheck disable=SC2086
	timeout 60 $compiler -g "$LEVEL" $language -pthread "$ROOT/$source" -o prog $flags -lm > build.log 2>&1 || { echo "skip $source: not built"; return; }
	for seed in $(seq 1 "$SEEDS"); do
		{ timeout -k 1 5 raddle run --policy=random:$seed --save-trace=$seed.trace -- ./prog > /dev/null 2>&1 < /dev/null; } 2> /dev/null
		case $? in 124 | 137) break ;; esac
		[ -e $seed.trace ] && [ "$(stat -c %s $seed.trace)" -gt 3000000 ] && break
	done
	rm -f ./*.old
	timeout 120 "$RADDLE_BUILD/tests/witness" prog ./*.trace > out 2>&1
	case $? in
	0) echo "ok $source: $(tail -1 out)" ;;
	124) echo "skip $source: too long" ;;
	3) case $(< out) in *'has no bitcode'*) echo "skip $source: $(< out)" ;; *) echo "FAIL $source"; cat out ;; esac ;;
	*) echo "FAIL $source"; tail -5 out ;;
	esac
	rm -rf "$here"
}
export -f one

if [ $# -gt 0 ]; then printf '%s\n' "$@"; else
	ls tests/run/*/*/prog.c tests/run/*/*/prog.cpp examples/*.c examples/*/*.c 2>/dev/null
fi | awk -v every="${EVERY:-1}" 'NR % every == 1 || every == 1' | xargs -P "${JOBS:-$(nproc)}" -I{} bash -c 'one {}' > "$room/log"
grep -A 5 '^FAIL' "$room/log"
passed=$(grep -c '^ok' "$room/log") failed=$(grep -c '^FAIL' "$room/log") skipped=$(grep -c '^skip' "$room/log")
awk '/^ok/ { for (i = 2; i < NF; i++) { if ($(i + 1) == "dependences") d += $i; if ($(i + 1) ~ /^unexplained/) u += $i
	if ($(i + 2) == "by" ) e += substr($i, 2) } } END { printf "%d dependences seen (%d answered by everything), %d differences without a read\n", d, e, u }' "$room/log"
[ -n "${V:-}" ] && cat "$room/log"
echo "$passed passed, $failed failed$([ "$skipped" = 0 ] || echo ", $skipped skipped")"
[ "$failed" = 0 ]
