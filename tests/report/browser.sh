#!/bin/bash
# tests/report/browser.sh -- the page in a real browser: what it shows, filters, links and colours, light and dark, wide and narrow.
# probe.js says what the browser made of the page; what it should be follows from tests/report/sample.c.
set -u
cd "$(dirname "$0")/../.." || exit 1
build=${RADDLE_BUILD:-build} passed=0 failed=0
room=$(mktemp -d) || exit 1
trap 'rm -rf "$room"' EXIT
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome)

# What can be said of the pages so far is said; the machine, not the page, is why there is no more.
give_up() { echo "skip tests/report/browser.sh: $*"; echo "$passed passed, $failed failed, 1 skipped"; [ $failed = 0 ]; exit; }
skip() { echo "skip tests/report/browser.sh: $*"; echo "0 passed, 0 failed, 1 skipped"; exit 0; }

# look <page> <width> <scheme: 0 dark, 1 light>: the browser's tree after scripts ran
look() {
	timeout -k 5 150 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --disable-background-networking --no-first-run \
		--user-data-dir="$room/profile" --window-size="$2",1000 --blink-settings=preferredColorScheme="$3" --dump-dom "file://$1" 2> "$room/said"
}

[ -n "$browser" ] || skip "no chromium is here"
echo '<p id=here>' > "$room/blank.html"
look "$room/blank.html" 800 1 | grep -q 'id="here"' || skip "chromium does not run here: $(grep -v '^$' "$room/said" | tail -1)"

# page <name> <scheme> <width> <what reports prints...>
page() {
	local name=$1 scheme=$2 width=$3
	shift 3
	{ "$build/tests/reports" html "$@"; echo '<script>'; cat tests/report/probe.js; echo '</script>'; } > "$room/page.html"
	for _ in 1 2 3; do                      # a browser that is too slow, or falls over, says nothing of the page
		look "$room/page.html" "$width" "$scheme" > "$room/tree"
		! grep -q '</html>' "$room/tree" || break
	done
	grep -q '</html>' "$room/tree" || give_up "of page '$name' the browser showed nothing: $(tail -1 "$room/said")"
	sed -n '/<pre id="probe">/,/<\/pre>/p' "$room/tree" | grep '^[a-z-]* ' > "$room/facts"
	[ -s "$room/facts" ] || { failed=$((failed + 1)); echo "FAIL $name: the page's script did not run to its end"; }
}

# fact <name of the page> <fact> <value>
fact() {
	local got
	got=$(sed -n "s/^$2 //p" "$room/facts")
	if [ "$got" = "$3" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL $1: $2 is '$got', not '$3'"; fi
}

# Eight findings, one of each kind.  The race: T_0 does two steps, T_0_1 three with a lock, T_0_2 one; the last two are the bug.
eight() {
	fact "$1" scheme "$2"
	fact "$1" findings 8
	fact "$1" open 1
	fact "$1" shown "8 of 8"
	fact "$1" wide no
	fact "$1" strangers 0
	fact "$1" lanes step,T_0,T_0_1,T_0_2
	fact "$1" steps '1,1,2,2,2!,3!'
	fact "$1" held 0,0,1,1,1,1
	fact "$1" marked 16,22
	fact "$1" loose 0
	fact "$1" readable yes
	fact "$1" deadlock 1
	fact "$1" two-words 1
	fact "$1" nobody 0
	fact "$1" everybody 8
	fact "$1" without-race 7
	fact "$1" without-confirmed 4
	fact "$1" closed 0
}
page "eight, light" 1 1500 8 tests/report/; eight "eight, light" light
page "eight, dark, narrow" 0 520 8 tests/report/; eight "eight, dark, narrow" dark

page many 1 1500 200 tests/report/
fact many findings 200
fact many shown "200 of 200"
fact many deadlock 25
fact many without-race 175
fact many without-confirmed 100
fact many loose 0
fact many wide no

page none 1 1500 0
fact none findings 0
fact none shown none
fact none readable yes

page hostile 1 1500 hostile '</script><img src=x onerror="document.title=1"><b>&amp;'
fact hostile findings 1
fact hostile strangers 0
fact hostile bold 0

# It asks for nothing: no address, no file.
if "$build/tests/reports" html 8 tests/report/ | grep -oE '(https?:)?//[a-z]|url\(|<link|@import|src=' ; then
	failed=$((failed + 1)); echo "FAIL the page names something outside of it"
else
	passed=$((passed + 1))
fi
echo "$passed passed, $failed failed"
[ $failed = 0 ]
