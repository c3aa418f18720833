#!/bin/bash
# bench/kept.sh -- what it costs to copy a program with a heap of 100 MB, and to make its end alone.
#   bench/kept.sh [<build dir>]         prints a table in Markdown
set -u
cd "$(dirname "$0")/.." || exit 1
build=$(cd "${1:-build}" && pwd) || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
libraries="-lzstd -lxxhash -ldw -lelf -liberty -lcadical -lstdc++ -lm"
# shellcheck disable=SC2086
${CC:-gcc} -std=gnu17 -D_GNU_SOURCE -I. -O2 bench/kept.c "$build/libraddle-host.a" $libraries -o "$work/kept" || exit 1
"$build/raddle-cc" -O1 -pthread bench/large.c -o "$work/large" || exit 1
cat <<-'END'
	A checkpoint of a program with a heap of 100 MB (bench/large.c), milliseconds:

	| pages | to copy it, median | most of 99 | a run in full, CPU | from the checkpoint, CPU |
	|---|---|---|---|---|
END
"$work/kept" "$work/large" | awk '{ printf "| large (madvise) | %s | %s | %s | %s |\n", $1, $2, $3, $4 }'
"$work/kept" -s "$work/large" | awk '{ printf "| small | %s | %s | %s | %s |\n", $1, $2, $3, $4 }'
