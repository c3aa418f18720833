#!/bin/bash
# examples/demo.sh -- predicts the bug of examples/newspaper.c from a run that goes well; records examples/bank.c and shows what was recorded;
# steers examples/tickets.c into its bug and replays it.
# Called by `make demo`.
#   examples/demo.sh [<build dir>]
cd "$(dirname "$0")/.." || exit 1
build=$(cd "${1:-build}" && pwd) || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cp examples/newspaper.c examples/bank.c examples/tickets.c "$work" && cd "$work" || exit 1
PATH=$build:$PATH

run() {
	echo "\$ $1"
	bash -o pipefail -c "$1" || exit 1
	echo
}

# Predicting: it always goes well, and one run is enough to find how it would not.
run "raddle-cc -O1 -pthread newspaper.c -o newspaper"
run "for i in {1..10}; do ./newspaper; done | sort | uniq -c"
run "! raddle predict -- ./newspaper"
run "! raddle replay use-after-free-1.sched"

run "raddle-cc -O1 -pthread bank.c -o bank"
run "raddle record -- ./bank 100"
run "raddle info"
run "raddle show --thread=T_0_0 | tail -24"
run "raddle show --object=moved | tail -8"

# Steering: 20 ordinary runs go well; some order of the same threads does not.
run "raddle-cc -O1 -pthread tickets.c -o tickets"
run "for i in {1..20}; do ./tickets; done | sort | uniq -c"
for seed in {1..50}; do
	raddle run --policy=random:$seed --save-schedule=sold.sched -- ./tickets > run.log 2>&1 || break
done
echo "\$ raddle run --policy=random:$seed --save-schedule=sold.sched -- ./tickets"
cat run.log
echo
run "! raddle replay sold.sched"
run "grep -A30 '^T_0' sold.sched"
echo "Your own program:  CC=$build/raddle-cc make  and then  $build/raddle record -- ./program"
