#!/bin/bash
# tests/cc/ccache.sh -- ccache raddle-cc: hits, keeps levels apart, and notices a new plugin.
. "$(dirname "$0")/lib.sh"
if ! command -v ccache > /dev/null; then
	skip "ccache" "ccache is not installed"
	closing
	exit
fi
export CCACHE_DIR=$work/cache CCACHE_TEMPDIR=$work/tmp
cp "$src/work.c" .
count() { ccache --print-stats | awk -v k="$1" '$1 == k { print $2 }'; }
hits() { echo $(($(count direct_cache_hit) + $(count preprocessed_cache_hit))); }

"$cc" -O2 -c work.c -o want-access.o
"$cc" -O2 --raddle=sync -c work.c -o want-sync.o
ccache "$cc" -O2 -c work.c -o a1.o
is "first time: no hit" "$(hits)" 0
same "what ccache stores is what raddle-cc makes" a1.o want-access.o
ccache "$cc" -O2 -c work.c -o a2.o
is "second time: a hit" "$(hits)" 1
same "and the same object" a2.o want-access.o
ccache "$cc" -O2 --raddle=sync -c work.c -o s1.o
is "another level: no hit" "$(hits)" 1
same "another level: its own object" s1.o want-sync.o
ccache "$cc" -O2 --raddle-source -c work.c -o p1.o
is "another place in the pipeline: no hit" "$(hits)" 1
RADDLE_LEVEL=sync RADDLE_POINT=start ccache "$cc" -O2 -c work.c -o a3.o
same "the environment does not count" a3.o want-access.o
expect "compiler with arguments in CC" sh -c "CC=\"ccache $cc --raddle=sync\"; \$CC -O2 -c work.c -o s2.o && cmp s2.o want-sync.o"

# The driver carries the plugin's hash: another plugin, another driver file, another compiler to ccache.
mkdir -p other/lib
cp "$cc" other/raddle-cc
cp "$build"/lib/* other/lib/
touch -d '2001-01-01' other/raddle-cc
before=$(hits)
ccache other/raddle-cc -O2 -c work.c -o o1.o
is "a rebuilt raddle: no hit" "$(hits)" "$before"
closing
