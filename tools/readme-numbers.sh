#!/bin/bash
# tools/readme-numbers.sh -- copies figures of the last `make bench` into README.md, between markers:
#   <!-- bench:last.geomean -->1.9<!-- /bench -->        one figure of bench/results.json
#   <!-- table:bench --> ... <!-- /table -->             the first table of docs/bench.md, markers alone on their lines
# With --check changes nothing and exits 1 if README.md is behind.
set -u
cd "$(dirname "$0")/.." || exit 1
[ -r README.md ] && [ -r bench/results.json ] || exit 0
new=$(mktemp) || exit 1
trap 'rm -f "$new"' EXIT
awk '
	FILENAME == "bench/results.json" {
		if (match($0, /^ *"[^"]*": /)) {
			key = value = $0
			sub(/^ *"/, "", key); sub(/": .*/, "", key)
			sub(/^ *"[^"]*": /, "", value); sub(/,$/, "", value); gsub(/"/, "", value)
			figure[key] = value
		}
		next
	}
	FILENAME == "docs/bench.md" {
		if (/^\|/ && done == 0) table = table $0 "\n"
		else if (table != "") done = 1
		next
	}
	/<!-- table:bench -->/ { print; printf "%s", table; inside = 1; next }
	/<!-- \/table -->/     { inside = 0 }
	inside { next }
	{
		out = ""; rest = $0
		while (match(rest, /<!-- bench:[^ ]* -->[^<]*<!-- \/bench -->/)) {
			whole = substr(rest, RSTART, RLENGTH)
			key = whole; sub(/<!-- bench:/, "", key); sub(/ -->.*/, "", key)
			if (!(key in figure)) { print "readme-numbers.sh: no figure " key > "/dev/stderr"; bad = 1 }
			out = out substr(rest, 1, RSTART - 1) "<!-- bench:" key " -->" figure[key] "<!-- /bench -->"
			rest = substr(rest, RSTART + RLENGTH)
		}
		print out rest
	}
	END { exit bad }
' bench/results.json docs/bench.md README.md > "$new" || exit 1
if [ "${1-}" = --check ]; then
	cmp -s "$new" README.md || { echo "README.md is behind the last 'make bench' (run tools/readme-numbers.sh)" >&2; exit 1; }
else
	cmp -s "$new" README.md || cat "$new" > README.md
fi
