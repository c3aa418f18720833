# tests/run/guardian/lib.sh -- for the tests beside it: a command whose processes are all found again, by a word in their environment.
word=GUARDED_BY_TEST=$$.$RANDOM

# Processes of the command that live.
ours()
{
	local at
	for at in $(grep -lazsx "$word" /proc/[0-9]*/environ); do
		at=${at%/environ}
		[ "${at#/proc/}" = $$ ] || echo "${at#/proc/}"
	done
}

# Until the program has come so far.  Fails if the command ended before.
comes()
{
	local pid
	while kill -0 "$1" 2> /dev/null; do
		for pid in $(ours); do
			[ "$(cat "/proc/$pid/comm" 2> /dev/null)" = hostile ] && return 0
		done
		sleep 0.02
	done
	echo "it ended by itself"; return 1
}

# Until none is left; how long that takes depends on how busy the machine is.
all_end()
{
	local left i
	for i in $(seq 300); do
		left=$(ours)
		[ "$left" ] || { echo "nothing is left"; return; }
		sleep 0.1
	done
	for i in $left; do
		echo "left: $(cat "/proc/$i/comm")"; kill -KILL "$i"
	done
}
