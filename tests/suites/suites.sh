#!/bin/bash
# tests/suites/suites.sh -- test suites of other tools, where they lie in a directory, against raddle.
#   tests/suites/suites.sh DIR [<suite>...]     suites: tsan helgrind drd sctbench race-challenges svcomp
# Environment: RADDLE_BUILD (default build), T (a pattern: only tests of that name), SECONDS_EACH (default 20: of one command),
# JOBS (default: cores), RESULTS (default $RADDLE_BUILD/suites): a table for each suite.
#
# A suite is known by its layout and skipped where it is not there; nothing of it is part of this tree.  What a test should say is read
# from the suite itself (its RUN and CHECK lines, its expected output, its name, its verdict file); tests/suites/expectations says
# otherwise for tests whose own expectation is not ours, each with a reason.
# A row: suite, test, expected (bug, none, any: the suite wants what raddle does not claim to find), what raddle said (bug, none, unknown,
# unbuilt, crashed, hangs), judgement (right, WRONG, unknown).
# Exit: 0 nothing is wrong, 1 something is, 2 bad command line.
set -u
cd "$(dirname "$0")/../.." || exit 1
[ $# -ge 1 ] && [ -d "$1" ] || { echo "usage: make suites SUITES=DIR, a directory with test suites in it" >&2; exit 2; }
top=$PWD here=$PWD/tests/suites where=$(cd "$1" && pwd)
shift
build=${RADDLE_BUILD:-build}
case $build in /*) ;; *) build=$top/$build ;; esac
export PATH=$build:$PATH NO_COLOR=1
results=${RESULTS:-$build/suites} each=${SECONDS_EACH:-20}
mkdir -p "$results" || exit 1
export top here results each

# ---- what raddle says: one word each ----

# A command that was not done after three times its time is ended, and that is a word too.
limited() { timeout -k 5 $((each * 3)) "$@" > out 2> err < /dev/null; }

word_of_exit() {
	case $1 in
	0) echo none ;; 1) echo bug ;; 3|4) echo unknown ;; 124|137) echo hangs ;; *) echo crashed ;;
	esac
}

said_by_predict() { limited raddle predict --for=${each}s --json -- ./prog $args; word_of_exit $?; }
said_by_races() {
	limited raddle run --races=fail -- ./prog $args
	case $? in 1) grep -q ': race: ' out err && echo bug || echo unknown ;; 124|137) echo unknown ;; *) echo none ;; esac
}
# hunt that found nothing has shown nothing.
said_by_hunt() { limited raddle hunt --for=${each}s --json -- ./prog $args; case $? in 1) echo bug ;; 134|139) echo crashed ;; *) echo unknown ;; esac; }
# SV-COMP asks one thing: is the error reached?  Races, livelocks, exit codes (main may return nothing) and blocks that cannot be had are true, and something else.
said_by_check() {
	limited raddle check --for=${each}s $1 --json -- ./prog $args
	local code=$?
	if [ $code = 1 ] && [ "${2-}" = errors-only ] && ! grep -q '"type":"bug","outcome":"assert"' out; then
		grep -q '"why":' out && echo unknown || echo none
	else
		word_of_exit $code
	fi
}

# The first that is sure: a bug beats nothing found, that beats unknown; crashes and hangs of raddle beat all.
strongest() {
	local word
	for word in crashed hangs bug none unknown; do
		case " $* " in *" $word "*) echo $word; return ;; esac
	done
}

# ---- suites: each lists "name<TAB>file<TAB>expected", and knows how a test is built and asked ----

compile() {
	local compiler=raddle-cc
	case $1 in *.cpp|*.cc) compiler=raddle-c++ ;; esac
	timeout 120 $compiler -g -O1 -w -pthread "$@" -o prog > build.log 2>&1
}

list_tsan() {
	local f expected
	for f in "$1"/*.c "$1"/*.cpp; do
		case ${f##*/} in java_*|fiber_*|bench_*|test.h) continue ;; esac
		grep -q '%clang.*tsan' "$f" || continue
		expected=none
		grep -qE '^ *// *CHECK[A-Z-]*:.*WARNING: ThreadSanitizer: ' "$f" && expected=any
		grep -qE '^ *// *CHECK[A-Z-]*:.*WARNING: ThreadSanitizer: (data race|heap-use-after-free|race on)' "$f" && expected=bug
		printf '%s\t%s\t%s\n' "$(basename "$f")" "$f" $expected
	done
}
ask_tsan() {
	local words=
	compile "$1" -include "$here/tsan.h" -I "$(dirname "$1")/.." -DSUITE_SLEEPS || { echo unbuilt; return; }
	words=$(said_by_predict)
	[ "$words" = bug ] || { compile "$1" -include "$here/tsan.h" -I "$(dirname "$1")/.." && words="$words $(said_by_races)"; }
	strongest $words
}

list_valgrind() {
	local test f name expected
	for test in "$1"/*.vgtest; do
		name=$(sed -n 's/^prog: *//p' "$test")
		for f in "$1/$name.c" "$1/$name.cpp"; do
			[ -f "$f" ] || continue
			expected=none
			grep -qsE 'ERROR SUMMARY: [1-9]' "${test%.vgtest}".stderr.exp* && expected=any
			grep -qsE 'data race|Conflicting (load|store)' "${test%.vgtest}".stderr.exp* && expected=bug
			printf '%s\t%s\t%s\n' "$(basename "$test" .vgtest)" "$f" $expected
		done
	done | sort -u
}
ask_valgrind() {
	compile "$1" -I "$(dirname "$1")/../.." -I "$(dirname "$1")" -I "$(dirname "$1")/../../include" || { echo unbuilt; return; }
	said_by_predict
}

list_sctbench() {
	local f name expected
	for f in "$1"/concurrent-software-benchmarks/*.c "$1"/inspect_examples/*.c "$1"/chess/*WorkSteal*Queue*.cpp; do
		[ -f "$f" ] || continue
		name=$(basename "$f"); name=${name%.*} expected=any
		grep -qs " $name " "$1/buggy.txt" && expected=bug
		case $name in *_bad|*_sat) expected=bug ;; *_ok|*_unsat) expected=none ;; esac
		printf '%s\t%s\t%s\n' "$name" "$f" $expected
	done
}
ask_sctbench() {
	local words
	compile "$1" || { echo unbuilt; return; }
	words=$(said_by_hunt)
	[ "$words" = bug ] || words="$words $(said_by_check)"
	strongest $words
}

list_race_challenges() {
	local verdict expected
	for verdict in "$1"/*.yml; do
		[ -f "${verdict%.yml}.c" ] || continue
		expected=bug
		grep -A1 'no-data-race' "$verdict" | grep -q 'expected_verdict: *true' && expected=none
		printf '%s\t%s\t%s\n' "$(basename "$verdict" .yml)" "${verdict%.yml}.c" $expected
	done
}
ask_race_challenges() {
	compile "$1" -include "$here/svcomp.h" -DSUITE_VALUE=3 || { echo unbuilt; return; }
	strongest "$(said_by_predict)" "$(said_by_check)"
}

list_svcomp() {
	local f expected name
	for f in "$1"/pthread/*.c "$1"/pthread-atomic/*.c "$1"/pthread-ext/*.c "$1"/pthread-lit/*.c; do
		name=${f#"$1"/}
		case $f in *.cil.c) continue ;; *_false-unreach*) expected=bug ;; *_true-unreach*) expected=none ;; *) continue ;; esac
		printf '%s\t%s\t%s\n' "${name%.c}" "$f" $expected
	done
}
# As it is written, by the rules of old C and without optimisation (loops wait by reading plain variables); one that is endless so, once more with two threads, or three if there is something to find.
ask_svcomp() {
	local word threads=2 old="-O0 -fgnu89-inline -Wno-implicit-function-declaration -Wno-implicit-int -Wno-int-conversion"
	compile "$1" $old -include "$here/svcomp.h" || { echo unbuilt; return; }
	word=$(said_by_check --keep-going errors-only)
	if [ "$word" = unknown ] && grep -qE 'while *\( *1 *\)[^;]*pthread_create' <(tr '\n' ' ' < "$1"); then
		[ "$2" = bug ] && threads=3
		compile "$1" $old -include "$here/svcomp.h" -DSUITE_THREADS=$threads || { echo unbuilt; return; }
		word=$(said_by_check --keep-going errors-only)
	fi
	echo "$word"
}

# ---- one test, and the whole ----

judge() {
	case $1:$2 in
	bug:bug|none:none) echo right ;;
	*:crashed|*:hangs|none:bug|bug:none) echo WRONG ;;
	*) echo unknown ;;
	esac
}

one() {
	local suite=$1 name=$2 file=$3 expected=$4 asker=$5 ours said room
	ours=$(awk -F'\t' -v s="$suite" -v t="$name" '$1 == s && $2 == t { print $3 }' "$here/expectations")
	[ -n "$ours" ] && expected=$ours
	[ "$expected" = skip ] && return
	room=$(mktemp -d) && cd "$room" || return
	args=$(awk -F'\t' -v s="$suite" -v t="$name" '$1 == s && $2 == t { print $5 }' "$here/expectations")
	said=$("$asker" "$file" "$expected")
	cd / && rm -rf "$room"
	printf '%s\t%s\t%s\t%s\t%s\n' "$suite" "$name" "$expected" "$said" "$(judge "$expected" "$said")"
}
export -f limited word_of_exit said_by_predict said_by_races said_by_hunt said_by_check strongest compile judge one \
	ask_tsan ask_valgrind ask_sctbench ask_race_challenges ask_svcomp

layout() {
	case $1 in
	tsan) find "$where" -type d -path '*test/tsan' ;;
	helgrind|drd) find "$where" -type d -path "*$1/tests" ;;
	sctbench) find "$where" -type d -name concurrent-software-benchmarks -printf '%h\n' ;;
	race-challenges) find "$where" -type d -name race-challenges ;;
	svcomp) find "$where" -type d -name pthread-atomic -printf '%h\n' ;;
	*) echo "suites.sh: there is no suite '$1' (tsan helgrind drd sctbench race-challenges svcomp)" >&2; exit 2 ;;
	esac | head -1
}

wrong=0
for suite in ${*:-tsan helgrind drd sctbench race-challenges svcomp}; do
	folder=$(layout "$suite") || exit 2
	[ -n "$folder" ] || { echo "skip $suite: it is not in '$where'"; continue; }
	kind=${suite//-/_}
	case $suite in helgrind|drd) kind=valgrind ;; esac
	"list_$kind" "$folder" | grep -E "${T-.}" | while IFS=$'\t' read -r name file expected; do
		printf '%s\0' "$suite" "$name" "$file" "$expected" "ask_$kind"
	done | nice xargs -0 -r -n 5 -P "${JOBS:-$(nproc)}" bash -c 'one "$@"' one | tee "$results/$suite.tsv" | grep -P '\tWRONG$'
	awk -F'\t' -v suite="$suite" '{ n[$5]++; of++ } END { printf "%s: %d tests, %d right, %d unknown, %d wrong\n", suite, of, n["right"], n["unknown"], n["WRONG"] }' \
		"$results/$suite.tsv"
	wrong=$((wrong + $(grep -cP '\tWRONG$' "$results/$suite.tsv")))
done
[ $wrong = 0 ]
