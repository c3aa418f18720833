#!/bin/bash
# examples/demo.sh -- builds examples/bank.c with raddle, records it, shows what was recorded.   Called by `make demo`.
#   examples/demo.sh [<build dir>]
cd "$(dirname "$0")/.." || exit 1
build=$(cd "${1:-build}" && pwd) || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cp examples/bank.c "$work" && cd "$work" || exit 1
PATH=$build:$PATH

run() {
	echo "\$ $1"
	bash -o pipefail -c "$1" || exit 1
	echo
}

run "raddle-cc -O1 -pthread bank.c -o bank"
run "raddle record -- ./bank 100"
run "raddle info"
run "raddle show --thread=T_0_0 | tail -24"
run "raddle show --object=moved | tail -8"
echo "Your own program:  CC=$build/raddle-cc make  and then  $build/raddle record -- ./program"
