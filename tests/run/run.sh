#!/bin/bash
# tests/run/run.sh -- runs the tests under tests/run, each a directory with cmd and expect.
#   tests/run/run.sh [<name>...]        all, or those called <name>, <group>/<name> or <group>
# Environment: RADDLE_BUILD (default build), QUICK=1 (those of tests/run/quick), JOBS (default 2).
#
# A test is a directory with `cmd`, a bash script, and `expect`, what it prints (stdout and stderr together) and then
# "exit N", both compared after tests/normalise.  A prog.c or prog.cpp beside it is built first with raddle-cc or raddle-c++
# (more arguments in `flags`) as ./prog; `program` names another test whose program it is.  A test without cmd or expect
# takes those of its group.  cmd runs in an empty directory that is removed afterwards, with raddle on PATH, TEST = the
# test's directory, ROOT = the top of the tree.
# Exit code 77 skips; the last line printed is the reason.
set -u
cd "$(dirname "$0")/../.." || exit 1
export ROOT=$PWD LC_ALL=C.UTF-8 NO_COLOR=1 HOME=/nonexistent
build=${RADDLE_BUILD:-build}
case $build in /*) ;; *) build=$ROOT/$build ;; esac
export RADDLE_BUILD=$build PATH=$build:$PATH
unset RADDLE_PAGER PAGER

# The file `name` of a test or of its group.
of_test() { [ -e "$1/$2" ] && echo "$1/$2" || { [ -e "${1%/*}/$2" ] && echo "${1%/*}/$2"; }; }

build_prog() {
	local dir=$1 flags=
	[ -e "$dir/program" ] && dir=$ROOT/tests/run/$(< "$dir/program")
	[ -e "$dir/flags" ] && flags=$(< "$dir/flags")
	if [ -e "$dir/prog.c" ]; then
		# shellcheck disable=SC2086
		raddle-cc -g -O1 -pthread "$dir/prog.c" -o prog $flags > build.log 2>&1
	elif [ -e "$dir/prog.cpp" ]; then
		# shellcheck disable=SC2086
		raddle-c++ -g -O1 -std=c++20 -pthread "$dir/prog.cpp" -o prog $flags > build.log 2>&1
	fi
}

run_one() {
	local dir=$1 name=${1#tests/run/} cmd expect room status
	cmd=$(of_test "$ROOT/$dir" cmd)
	expect=$(of_test "$ROOT/$dir" expect)
	room=$(mktemp -d "${TMPDIR:-/tmp}/raddle-test.XXXXXX") || exit 1
	# shellcheck disable=SC2064
	trap "rm -rf '$room'" EXIT              # named now: the variable is gone when the shell ends
	export TEST=$ROOT/$dir
	mkdir "$room/here" && cd "$room/here" || exit 1
	if ! build_prog "$TEST"; then
		echo "FAIL $name: prog was not built"; head -5 build.log; return
	fi
	rm -f build.log
	timeout -k 5 600 bash "$cmd" > "$room/raw" 2>&1 < /dev/null
	status=$?
	if [ $status = 77 ]; then
		echo "skip $name: $(tail -1 "$room/raw")"; return
	fi
	echo "exit $status" >> "$room/raw"
	ROOM=$room "$ROOT/tests/normalise" < "$room/raw" > "$room/got"
	if [ -z "$expect" ]; then
		echo "FAIL $name: it has no expect"; return
	fi
	ROOM=$room "$ROOT/tests/normalise" < "$expect" > "$room/want"
	if cmp -s "$room/want" "$room/got"; then
		echo "ok $name"
	else
		echo "FAIL $name"; diff -u --label expected --label got "$room/want" "$room/got" | head -40
	fi
}
export -f run_one build_prog of_test

# shellcheck disable=SC2046
[ $# = 0 ] && [ -n "${QUICK:-}" ] && set -- $(grep -v '^#' tests/run/quick)

# Directories that are tests: they or their group have a cmd, and they are not groups themselves.
tests=()
for dir in tests/run/*/*/; do
	dir=${dir%/}
	[ -e "$dir/cmd" ] || { [ -e "${dir%/*}/cmd" ] && ls "$dir"/prog.* > /dev/null 2>&1; } || continue
	wanted=$([ $# = 0 ] && echo yes)
	for name in "$@"; do
		case ${dir#tests/run/} in "$name"|"$name"/*|*/"$name") wanted=yes ;; esac
	done
	[ -z "$wanted" ] || tests+=("$dir")
done
if [ ${#tests[@]} = 0 ]; then
	echo "no test is called $*"; echo "0 passed, 0 failed"; exit 0
fi
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT
printf '%s\0' "${tests[@]}" | xargs -0 -n 1 -P "${JOBS:-2}" bash -c 'out=$(run_one "$1"); echo "$out"' run_one > "$log"
grep -a -v '^ok ' "$log"
passed=$(grep -ac '^ok ' "$log") skipped=$(grep -ac '^skip ' "$log")
failed=$((${#tests[@]} - passed - skipped))
echo "$passed passed, $failed failed$([ "$skipped" = 0 ] || echo ", $skipped skipped")"
[ $failed = 0 ]
