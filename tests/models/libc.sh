#!/bin/bash
# tests/models/libc.sh -- calls of libc between store and load, every path of libc_paths.h: the machine against raddle check.
#   libc.sh <libc_native> <folder with raddle> <scratch folder> [short]
# Whatever the machine shows must be a bug to check under TSO; what drains shows nothing, and is safe.  short: a few thousand runs of each path, and no check.
# Prints what differs, what the machine showed of each path (in <scratch folder>/libc.log too), and "N passed, M failed".
set -u
native=$1 bin=$2 scratch=$3 short=${4:-}
here=$(dirname "$0")
good=0 bad=0
mkdir -p "$scratch" || exit 1
export PATH="$bin:$PATH"

if [ "$short" ]; then
	"$native" 4096 > "$scratch/libc.log"
else
	{ "$native" 1000000 $("$native" leaving) $("$native" leaving-more); "$native" 10000000 $("$native" draining) $("$native" draining-more); } > "$scratch/libc.log"
	cat "$scratch/libc.log"
	raddle-cc -g -O1 -pthread "$here/../run/check/libc-stores/prog.c" -o "$scratch/prog" || exit 1
fi
verdict() { raddle check --model="$1" -- "$scratch/prog" "$2" "$2" 2>&1 | grep -o '^\(safe\|bug\|incomplete\):' | tr -d :; }
judge() {       # path, drains or leaves, what showed
	local want=safe model said
	[ "$2" = drains ] && [ "$3" != 0 ] && echo "$1: the machine shows what the table says it cannot, $3 times" && return 1
	[ "$short" ] && return
	! { "$native" leaving; "$native" draining; } | grep -qx -- "$1" && return
	[ "$2" = leaves ] && want=bug
	for model in tso pso; do
		said=$(verdict $model "$1")
		[ "$said" = $want ] || { echo "$1 under $model: $said instead of $want"; return 1; }
	done
}
while read -r path does runs shown; do
	if judge "$path" "$does" "$shown"; then good=$((good + 1)); else bad=$((bad + 1)); fi
done < "$scratch/libc.log"
[ $good != 0 ] || [ "$(nproc)" -lt 2 ] || bad=$((bad + 1))
echo "$good passed, $bad failed"
