#!/bin/bash
# tests/layers.sh -- who may include whom.  Fails on any other #include edge between rooms.
# analyses/X counts as a room of its own; tests, bench and examples may include what they like.
set -u
cd "$(dirname "$0")/.." || exit 1
declare -A may=(
	[wire]="" [base]="" [verify]="" [cc]="wire" [rt]="wire"
	[trace]="base wire" [model]="base wire" [order]="base trace" [drive]="base wire trace"
	[report]="base trace" [analyses]="base trace order model drive report wire"
	[certify]="base wire trace drive" [cli]="base wire trace model order drive report analyses certify"
)
edges=0 bad=0
while IFS=: read -r file line text; do
	room=${file%%/*}
	target=${text#*\"}; target=${target%%\"*}
	other=${target%%/*}
	edges=$((edges + 1))
	if [ "$other" = "$target" ]; then
		echo "FAIL $file:$line: \"$target\" is not written from the root"; bad=$((bad + 1)); continue
	fi
	[ -d "$other" ] || continue                     # somebody else's header in quotes
	if [ "$room" = "$other" ]; then
		[ "$room" != analyses ] && continue
		mine=${file#analyses/}; theirs=${target#analyses/}
		[ "${mine%%/*}" = "${theirs%%/*}" ] && continue
	fi
	case " ${may[$room]-} " in
	*" $other "*) [ "$room" != "$other" ] && continue ;;
	esac
	echo "FAIL $file:$line: room $room may not include \"$target\""; bad=$((bad + 1))
done < <(grep -HnE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' -r --include='*.[chS]' --include='*.cpp' \
	wire base verify cc rt trace model order drive report analyses certify cli 2>/dev/null)
for room in */; do
	room=${room%/}
	case $room in build*|tests|docs|examples|bench|tools|include) continue ;; esac
	[ -n "${may[$room]+x}" ] || { echo "FAIL room $room is not in the table"; bad=$((bad + 1)); }
done
[ $bad = 0 ] && echo "$edges includes, all allowed"
echo "$([ $bad = 0 ] && echo 1 || echo 0) passed, $bad failed"
[ $bad = 0 ]
