#!/bin/bash
# tests/soak/mutate.sh -- mutated files of every format through every command that reads them.
#   tests/soak/mutate.sh <mutations> [<first seed>]      Environment: RADDLE_BUILD (default build; build-san finds more), MUTATE (the mutator)
# Held of each:
#   (1) bytes of what has checksums (trace, input): never exit 0 or 1.  A state is an SQLite database, in which many bytes mean nothing: it is
#       refused, or the verdict is the one of the sound state;
#   (2) decoded events in blocks with right checksums, and words of texts: such a file may well be sound, so any exit code a command has will do;
#   (3) all of them: no signal, no abort, no word of a sanitizer, an end within a minute.
# What falls is kept in RADDLE_BUILD/mutate-fail-N, with its command.
set -u
count=$1 first=${2:-1}
root=$(cd "$(dirname "$0")/../.." && pwd) || exit 1
kept=$(cd "${RADDLE_BUILD:-$root/build}" && pwd) || exit 1
mutate=${MUTATE:-$kept/tests/mutate}
room=$(mktemp -d "${TMPDIR:-/tmp}/raddle-mutate.XXXXXX") || exit 1
trap 'rm -rf "$room"' EXIT
cd "$room" || exit 1
export PATH=$kept:$PATH ASAN_OPTIONS=detect_leaks=0:exitcode=99 UBSAN_OPTIONS=halt_on_error=1:exitcode=99 NO_COLOR=1
passed=0 failed=0

# ---- sound files to begin with ----
raddle-cc -g -O1 -pthread "$root/examples/bank.c" -o bank || exit 1
raddle-cc -g -O1 -pthread "$root/tests/run/check/sb/prog.c" -o sb || exit 1
raddle record -o native.trace -- ./bank 5 > /dev/null 2>&1
raddle run --policy=random:1 --save-trace=steered.trace --save-schedule=s.sched -- ./bank 5 > /dev/null 2>&1
raddle run --save-trace=sb.trace -- ./sb > /dev/null 2>&1
raddle show --text sb.trace > twin.txt
raddle check --certificate=c.cert --state=c.state -- ./sb > safe 2> /dev/null
raddle determinism --refutations=refuted native.trace > /dev/null 2>&1
raddle export --format=plain -o plain.txt native.trace 2> /dev/null
raddle predict --no-runs --json native.trace > base.json 2> /dev/null
printf 'race\nvariable balance\n\ndeadlock\nfile bank.c\n' > rules.txt
printf '[program]\ncommand = ./bank 5\n[faults]\ntypes = Skip\nruns = 2\nseed = 5\n' > a.ini
raddle campaign a.ini > /dev/null 2>&1; cp a.db kept.db
refuted=refuted-1.ref; [ -e $refuted ] || refuted=

fell() {
	failed=$((failed + 1))
	mkdir -p "$kept/mutate-fail-$failed" && cp "$file" "$from" err "$kept/mutate-fail-$failed/" 2> /dev/null
	echo "FAIL seed $seed: $* ($how of $from; kept in $kept/mutate-fail-$failed)"
}

# one <codes it must not have> <how> <from> <as> <command...>
one() {
	local never=$1 code; how=$2 from=$3 file=$4
	shift 4
	"$mutate" "$how" "$from" "$file" "$seed"
	case $? in 1) return ;; 2) fell "the mutator could not read it"; return ;; esac
	timeout -s KILL 60 "$@" > out 2> err < /dev/null
	code=$?
	if [ $code = 99 ] || [ $code -ge 126 ] || grep -aq 'Sanitizer\|runtime error:\|Assertion\|core dumped' err; then
		fell "exit $code: $*"
	elif [[ " $never " == *" $code "* ]]; then
		fell "exit $code, though it is damaged: $*"
	else
		passed=$((passed + 1))
	fi
}

of_traces() {
	case $((seed / 16 % 9)) in
	0) one "$@" raddle show --text m.trace ;;
	1) one "$@" raddle info --verify m.trace ;;
	2) one "$@" raddle determinism m.trace ;;
	3) one "$@" raddle predict --no-runs --all m.trace ;;
	4) one "$@" raddle diff native.trace m.trace ;;
	5) one "$@" raddle export --format=perfetto -o exported m.trace ;;
	6) one "$@" raddle info --json m.trace ;;
	7) one "$@" raddle determinism --explain m.trace ;;
	8) one "$@" raddle show --json m.trace ;;
	esac
}
traces=(native.trace steered.trace sb.trace)

for seed in $(seq "$first" $((first + count - 1))); do
	trace=${traces[$((seed / 7 % 3))]}
	case $((seed % 16)) in
	0 | 1 | 2 | 3 | 4) of_traces "" records "$trace" m.trace ;;
	5) of_traces "0 1" bytes "$trace" m.trace ;;
	6) one "0 1" bytes "$trace" m.trace raddle info --verify m.trace ;;
	7) of_traces "" words twin.txt m.trace ;;
	8 | 9) one "" words s.sched m.sched raddle replay m.sched ;;
	10) cp s.sched i.sched; sed -i 's/^input "[^"]*"/input "i.input"/' i.sched; one "0 1" bytes s.input i.input raddle replay i.sched ;;
	11) one "" words c.cert m.cert raddle verify-certificate m.cert -- ./sb ;;
	12) if [ "$refuted" ]; then one "" words "$refuted" m.ref raddle-verify plain.txt m.ref; fi ;;
	13) one "1" bytes c.state m.state raddle check --state=m.state -- ./sb
	    [ ! -s out ] || [ "$(sed 's/;.*//; q' out)" = "$(sed 's/;.*//; q' safe)" ] || fell "another verdict: $(head -1 out)" ;;
	14) one "" words a.ini m.ini raddle campaign --summary --database=kept.db m.ini
	    one "" bytes kept.db m.db raddle campaign --summary --database=m.db a.ini; rm -f m.db* ;;
	15) one "" words base.json m.json raddle predict --no-runs --baseline=m.json native.trace
	    one "" words rules.txt m.txt raddle predict --no-runs --suppressions=m.txt native.trace
	    one "" words s.sched m.sched raddle minimize --runs=20 m.sched ;;
	esac
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
