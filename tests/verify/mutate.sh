#!/bin/bash
# tests/verify/mutate.sh -- one altered value must be found.
#   mutate.sh <text twin> <times> [<seed>]
# Picks reads and writes at random: a read that returns what the last recorded write of the same bytes wrote, or that write;
# gives it another value; raddle info --verify must exit 1.  Prints how many were found, and each that was not.
set -u
twin=$1 times=$2 seed=${3:-1}
room=$(mktemp -d) || exit 1
trap 'rm -rf "$room"' EXIT

# Lines "reader-line writer-line": pairs of a read and the write it got its value from.
awk '
function field(key,   i) { for (i = 3; i <= NF; i++) if (index($i, key "=") == 1) return substr($i, length(key) + 2); return "" }
$2 == "w" { last[$3] = field("size") " " field("value"); line[$3] = NR; next }
$2 == "rmw" || $2 == "astore" || $2 == "cas" || $2 == "libwrite" || $2 == "copy" || $2 == "alloc" { delete last[$3]; next }
$2 == "enter" || $2 == "leave" { depth[$1] += $2 == "enter" ? 1 : -1 }
$2 == "r" && ($3 in last) && last[$3] == field("size") " " field("value") && field("value") != "" { print NR, line[$3] }
' "$twin" > "$room/pairs"
pairs=$(wc -l < "$room/pairs")
[ "$pairs" -gt 0 ] || { echo "no read is explained by a write"; exit 1; }

found=0 missed=0
RANDOM=$seed
for ((i = 0; i < times; i++)); do
	pick=$(((RANDOM * 32768 + RANDOM) % pairs + 1))
	read -r reader writer < <(sed -n "${pick}p" "$room/pairs")
	line=$reader
	[ $((RANDOM % 3)) = 0 ] && line=$writer
	awk -v at="$line" 'NR == at {
		for (i = 3; i <= NF; i++) if (index($i, "value=") == 1) {
			n = substr($i, 7)
			last = substr(n, length(n))
			other = last == "7" ? "4" : "7"
			$i = "value=" substr(n, 1, length(n) - 1) other
		} } { print }' "$twin" > "$room/altered"
	raddle info --verify "$room/altered" > "$room/said" 2>&1
	code=$?
	if [ $code = 1 ]; then
		found=$((found + 1))
	else
		missed=$((missed + 1))
		echo "missed (exit $code): line $line: $(sed -n "${line}p" "$twin" | cut -c1-150)"
	fi
done
echo "found $found of $times"
[ $missed = 0 ]
