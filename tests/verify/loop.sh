#!/bin/bash
# tests/verify/loop.sh -- programs of src/ recorded again and again: no trace of theirs may be said to contradict itself.
#   loop.sh [<times>] [<levels>] [<program>...]         default 20 times, -O0 to -O3 taking turns, all programs
# Also: no more than 1 % of reads by unseen writers in programs of C.
set -u
here=$(cd "$(dirname "$0")" && pwd)
times=${1:-20} levels=${2:-0 1 2 3}
shift; shift
room=$(mktemp -d) || exit 1
trap 'rm -rf "$room"' EXIT
cd "$room" || exit 1
failed=0
[ $# -gt 0 ] && names=$* || names=$(cd "$here/src" && ls)
for name in $names; do
	bad=0
	case $name in *.cpp) cc="raddle-c++ -std=c++20" most=5 ;; *) cc=raddle-cc most=1 ;; esac
	for o in $levels; do
		$cc -O"$o" -g -pthread "$here/src/$name" -o "prog$o" > log 2>&1 || { echo "FAIL $name: not built at -O$o"; cat log; exit 1; }
	done
	i=0
	while [ $i -lt "$times" ]; do
		for o in $levels; do
			[ $i -lt "$times" ] || break
			i=$((i + 1))
			timeout 60 raddle record -o run.trace -- "./prog$o" > /dev/null 2> log || { echo "FAIL $name -O$o: not recorded"; tail -3 log; bad=1; continue; }
			raddle info --verify --json run.trace > said 2>&1
			code=$?
			unseen=$(tail -1 said | sed -n 's/.*"unseen_percent":\([0-9]*\).*/\1/p')
			if [ $code != 0 ] || [ "${unseen:-100}" -ge $most ]; then
				echo "FAIL $name -O$o, run $i: exit $code, unseen ${unseen:-?} %"; head -3 said | cut -c1-300; bad=1
			fi
		done
	done
	[ $bad = 0 ] && echo "ok $name: $times recordings" || failed=1
done
exit $failed
