#!/bin/bash
# bench/restart.sh -- complete executions a second of a test of two threads and 16 steps: by exec, by a server, in one process.
#   bench/restart.sh [<build dir>]      prints a table in Markdown
set -u
cd "$(dirname "$0")/.." || exit 1
build=$(cd "${1:-build}" && pwd) || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
make -s B="$build" "$build/bench/restart" || exit 1
"$build/raddle-cc" -O1 -pthread bench/pair.c -o "$work/pair" || exit 1
${CC:-gcc} -std=gnu17 -D_GNU_SOURCE -O2 -static bench/bare.c -o "$work/bare" || exit 1
cat <<-'END'
	Complete executions a second of processor time on one core, raddle's own included (bench/pair.c, policy random; `-watched`: with race
	detector and records of every run, the others with neither; `bare`: an empty process copied, ended and waited for, the least this machine does):

	| made by | a second | of |
	|---|---|---|
END
{ "$work/bare"; "$build/bench/restart" "$work/pair"; } | awk '{ printf "| %s | %s | %s |\n", $1, $2, $3 }'
