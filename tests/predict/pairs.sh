#!/bin/bash
# tests/predict/pairs.sh [<programs> [<first seed>]] -- where predict says that it is complete, no racing pair of lines goes unmentioned; none is called infeasible.
# Programs and all their racing pairs are pairs.c's, which visits every state.  Races that are confirmed must be among them.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${RADDLE_BUILD:-$root/build}
case $build in /*) ;; *) build=$root/$build ;; esac
count=${1:-6} first=${2:-1} wrong=0 complete=0 all=0 missed=0 unclaimed=0
room=$(mktemp -d) || exit 1
trap 'rm -rf "$room"' EXIT
cd "$room" || exit 1

# Pairs of lines of the findings with this in them.
pairs_of() {
	grep -E "$1" predicted | sed -nE 's/.*"places":\[([^]]*)\].*/\1/p' | sed -E 's/"line":([0-9]+)/\n@\1\n/g; s/$/\n=/' \
		| sed -nE 's/^@//p; /^=$/p' | awk '/=/ { for (i = 0; i < n; i++) for (k = i + 1; k < n; k++) print (l[i] + 0 < l[k] + 0 ? l[i] " " l[k] : l[k] " " l[i]); n = 0; next } { l[n++] = $1 }' | sort -u
}
predict() {
	"$build/raddle-cc" -g -O"$1" -w -pthread prog.c -o prog || return 1
	rm -f ./*.sched
	timeout -k 5 300 "$build/raddle" predict --all --json --replays=1 -- ./prog > predicted 2> said
	return 0
}
fail() {
	echo "  FAIL  seed $seed: $1: $(tr '\n' ';' < "$2")"
	bad=1
}

for ((seed = first; seed < first + count; seed++)); do
	"$build/tests/pairs" "$seed" prog.c > said || exit 1
	sort -u said > races
	predict $((seed % 3)) || exit 1
	grep -q '"line":0' predicted && predict 0        # the optimiser took the line away
	bad=0
	if ! tail -1 predicted | grep -q '"events"'; then
		fail "predict came to no end" said
	fi
	pairs_of '"kind"' > mentioned
	pairs_of '"kind":"race".*"status":"confirmed"' > confirmed
	pairs_of '"kind":"race".*"status":"infeasible"' > closed
	comm -23 races mentioned > silent
	comm -12 races closed > wrongly
	comm -23 confirmed races > false
	all=$((all + $(wc -l < races))) missed=$((missed + $(wc -l < silent)))
	if tail -1 predicted | grep -q '"complete":true'; then
		complete=$((complete + 1))
		[ -s silent ] && fail "complete, and not mentioned" silent
	else
		[ -s silent ] && unclaimed=$((unclaimed + 1))
	fi
	[ -s wrongly ] && fail "infeasible, and they race" wrongly
	[ -s false ] && fail "confirmed, and they do not race" false
	wrong=$((wrong + bad))
done
echo "$((count - wrong)) passed, $wrong failed ($all racing pairs, $missed of them not mentioned; $complete programs complete, $unclaimed with pairs missed and not claimed complete)"
[ $wrong = 0 ]
