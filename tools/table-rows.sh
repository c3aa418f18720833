#!/bin/bash
# tools/table-rows.sh -- rows of one table of a page, and nothing else of it, are written anew.
#   tools/table-rows.sh <page> <beginning of the table's first line> < rows
# A row takes the place of the one with the same first cell; if there is none it becomes the last.
# Exit 1: the page has no such table, and is left as it is.
set -u
page=$1 heading=$2
if awk -v heading="$heading" '
	function cell(line, part) { split(line, part, "|"); return part[2] }
	function finish(i) { for (i = 1; i <= count; i++) if (!(i in put)) print row[i]; table = 0 }
	NR == FNR { row[++count] = $0; number[cell($0)] = count; next }
	index($0, heading) == 1 { table = found = 1; print; next }
	table && !/^\|/ { finish() }
	table && cell($0) in number { put[number[cell($0)]] = 1; print row[number[cell($0)]]; next }
	{ print }
	END { if (table) finish(); exit !found }
' - "$page" > "$page.new"; then
	mv "$page.new" "$page"
else
	rm -f "$page.new"
	echo "table-rows.sh: '$page' has no table that begins '$heading'" >&2
	exit 1
fi
