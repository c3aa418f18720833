#!/bin/bash
# tests/soak/killed.sh -- recordings killed at random moments: every event that was executed is salvaged, and no other.
#   tests/soak/killed.sh <kills> <program> [<most>]     in an empty folder, raddle on PATH; <program>: tests/run/record/salvage; <most> events of a thread
# In turn the recorder is killed alone, with the program, and their whole group; streams and flight recorders.  The program says in the
# file `done` how far each thread has come, after each write: the trace must have that many, or one more.
set -u
kills=$1 program=$2 most=${3:-60000} bad=0
word() { od -An -td8 -j $((8 * $1)) -N 8 done 2> /dev/null | tr -d ' '; }
# The last value written to a variable, as the trace has it, and how many writes of it there are.
last() { raddle show --kind=w --object="$1" | awk '{ n++; for (i = 1; i < NF; i++) if ($i == "=") v = $(i + 1) } END { gsub(",", "", v); print v + 0, n + 0 }'; }
fail() { echo "kill $i ($kind $options): $*"; bad=$((bad + 1)); }

for ((i = 0; i < kills; i++)); do
	case $((i % 3)) in 0) kind=recorder ;; 1) kind=both ;; 2) kind=group ;; esac
	case $((i / 3 % 2)) in 0) options= ;; 1) options=--last=64M ;; esac
	rm -f done run.trace* .run.trace.ring-*
	# shellcheck disable=SC2086
	setsid raddle record $options -- "$program" 50 > out 2>&1 &
	recorder=$!
	goal=$((RANDOM * 32768 + RANDOM)) goal=$((goal % most))
	# shellcheck disable=SC2034
	for ((wait = 0; wait < 3000; wait++)); do
		n=$(word 0)
		[ "${n:-0}" -ge "$goal" ] && break
		sleep 0.01
	done
	pid=$(word 2)
	case $kind in
	recorder) kill -9 $recorder; sleep 0.02; kill -9 "$pid" ;;
	both) kill -9 $recorder "$pid" ;;
	group) kill -9 -- -$recorder ;;
	esac 2> /dev/null
	wait $recorder 2> /dev/null
	for ((wait = 0; wait < 500; wait++)); do          # what was killed takes a moment to be gone
		raddle salvage > said 2>&1 && break
		grep -q "still" said || break
		sleep 0.02
	done
	grep -q "^salvaged" said || fail "$(cat said)"
	[ -z "$(ls .run.trace.ring-* 2> /dev/null)" ] || fail "something is left"
	for v in 0:first 1:second; do
		n=$(word ${v%:*})
		read -r value count <<< "$(last ${v#*:})"
		[ "$value" -ge "$n" ] && [ "$value" -le $((n + 1)) ] || fail "${v#*:} was $n, the trace has $value"
		[ -n "$options" ] || [ "$count" = "$value" ] || fail "${v#*:}: $count writes, the last of $value"
	done
	raddle info --verify > said 2>&1 || fail "$(tail -1 said)"
done 2> /dev/null
echo "$kills kills, $bad bad"
[ $bad = 0 ]
