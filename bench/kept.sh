#!/bin/bash
# bench/kept.sh -- what it costs to copy a program with a heap of 100 MB, and to make its end alone.
#   bench/kept.sh [<build dir>]         prints a table in Markdown
set -u
cd "$(dirname "$0")/.." || exit 1
build=$(cd "${1:-build}" && pwd) || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
make -s B="$build" "$build/bench/kept" || exit 1
"$build/raddle-cc" -O1 -pthread bench/large.c -o "$work/large" || exit 1
cat <<-'END'
	A checkpoint of a program with a heap of 100 MB (bench/large.c), milliseconds:

	| pages | to copy it, median | most of 99 | a run in full, CPU | from the checkpoint, CPU |
	|---|---|---|---|---|
END
"$build/bench/kept" "$work/large" | awk '{ printf "| large (madvise) | %s | %s | %s | %s |\n", $1, $2, $3, $4 }'
"$build/bench/kept" -s "$work/large" | awk '{ printf "| small | %s | %s | %s | %s |\n", $1, $2, $3, $4 }'
