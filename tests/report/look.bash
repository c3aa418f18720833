# tests/report/look.bash -- a page in a real browser, for the scripts beside it: they source it, after `cd` to the top of the tree and `me=` their own name.
#   page <name> <scheme: 0 dark, 1 light> <width> <probe.js> <command...>     what the command prints, with the probe behind it, as the browser makes it
#   fact <name of the page> <fact> <value>                              what the probe said
# Where no browser runs the script ends here, with the reason.
set -u
build=${RADDLE_BUILD:-build} passed=0 failed=0
room=$(mktemp -d) || exit 1
trap 'rm -rf "$room"' EXIT
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome)

# What can be said of the pages so far is said; the machine, not the page, is why there is no more.
give_up() { echo "skip $me: $*"; echo "$passed passed, $failed failed, 1 skipped"; [ $failed = 0 ]; exit; }
skip() { echo "skip $me: $*"; echo "0 passed, 0 failed, 1 skipped"; exit 0; }

# look <page> <width> <scheme>: the browser's tree after scripts ran
look() {
	timeout -k 5 150 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --disable-background-networking --no-first-run \
		--user-data-dir="$room/profile" --window-size="$2",1000 --blink-settings=preferredColorScheme="$3" --dump-dom "file://$1" 2> "$room/said"
}

[ -n "$browser" ] || skip "no chromium is here"
echo '<p id=here>' > "$room/blank.html"
look "$room/blank.html" 800 1 | grep -q 'id="here"' || skip "chromium does not run here: $(grep -v '^$' "$room/said" | tail -1)"

page() {
	local name=$1 scheme=$2 width=$3 probe=$4
	shift 4
	{ "$@"; echo '<script>'; cat tests/report/readable.js "$probe"; echo '</script>'; } > "$room/page.html"
	for _ in 1 2 3; do                      # a browser that is too slow, or falls over, says nothing of the page
		look "$room/page.html" "$width" "$scheme" > "$room/tree"
		! grep -q '</html>' "$room/tree" || break
	done
	grep -q '</html>' "$room/tree" || give_up "of page '$name' the browser showed nothing: $(tail -1 "$room/said")"
	sed -n '/<pre id="probe">/,/<\/pre>/p' "$room/tree" | grep '^[a-z-]* ' > "$room/facts"
	[ -s "$room/facts" ] || { failed=$((failed + 1)); echo "FAIL $name: the page's script did not run to its end"; }
}

fact() {
	local got
	got=$(sed -n "s/^$2 //p" "$room/facts")
	if [ "$got" = "$3" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL $1: $2 is '$got', not '$3'"; fi
}

# It asks for nothing: no address, no file.
asks_nothing() {
	if "$@" | grep -oE '(https?:)?//[a-z]|url\([^#]|<link|@import|src=' ; then
		failed=$((failed + 1)); echo "FAIL the page names something outside of it"
	else
		passed=$((passed + 1))
	fi
}
