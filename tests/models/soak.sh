#!/bin/bash
# tests/models/soak.sh -- every litmus test there is, in parts, each part's log kept: what has passed is not run again.
#   soak.sh <agree> <litmus program> <folder for logs> <at a time>
# Shapes and variants of 2 to 6 accesses and 2 to 4 threads, in parts of about a thousand, and as many parts of mixtures.  A part
# counts as run if its log is newer than the programs and the runtime and says 0 failed.  Prints passed and failed of all.
set -u
agree=$1 litmus=$2 logs=$3 jobs=$4
runtime=$(dirname "$agree")/../lib/libraddle-rt.so
mkdir -p "$logs" || exit 1

parts_of() { echo $(($(echo "$1" | awk '{ print $5 }') / 1000 + 1)); }   # "6 accesses, 3 threads: 80897 variants"
list() {
	for n in 2 3 4 5 6; do for t in 2 3 4; do for kind in p x; do
		parts=$(parts_of "$("$agree" -c -$kind $n,$t,1 "$litmus" | head -1)")
		for ((i = 0; i < parts; i++)); do echo "$kind-$n-$t-$i -$kind $n,$t,$parts,$i"; done
	done; done; done
	for ((i = 0; i < 100; i++)); do echo "r-$i -r 1000,$i"; done
}
is_done() {
	[ "$1" -nt "$agree" ] && [ "$1" -nt "$litmus" ] && [ "$1" -nt "$runtime" ] && grep -q ' passed, 0 failed$' "$1"
}
run_part() {
	is_done "$logs/$1.log" && return
	"$agree" "$2" "$3" "$litmus" > "$logs/$1.new"
	mv "$logs/$1.new" "$logs/$1.log"
}
export -f is_done run_part
export agree litmus logs runtime
list > "$logs/parts"
xargs -P "$jobs" -L 1 bash -c 'run_part "$@"' part < "$logs/parts"
while read -r name _; do
	cat "$logs/$name.log" 2> /dev/null || echo "FAIL part $name: no log"
done < "$logs/parts" | grep -v ' passed, ' | head -1000
while read -r name _; do
	tail -n 1 "$logs/$name.log" 2> /dev/null || echo "0 passed, 1 failed"
done < "$logs/parts" | awk '/ passed, / { good += $1; bad += $3; next } { bad++ } END { print good + 0 " passed, " bad + 0 " failed" }'
