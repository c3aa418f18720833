# tests/cc/lib.sh -- what the tests of the compiler driver share; sourced by each.
#   RADDLE_BUILD  the build directory (default build)
# A test prints "ok <name>", "FAIL <name>: why" or "skip <name>: why" and ends by calling `closing`.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
build=$(cd "$root" && cd "${RADDLE_BUILD:-build}" && pwd) || exit 1
cc=$build/raddle-cc
cxx=$build/raddle-c++
src=$here/src
[ -x "$cc" ] || { echo "'$cc' is not built (run 'make' first)"; exit 1; }
export LC_ALL=C
unset CFLAGS CXXFLAGS LDFLAGS CC CXX CCACHE_DIR RADDLE_CLANG RADDLE_CLANGXX RADDLE_LEVEL RADDLE_POINT RADDLE_RING

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
passed=0 failed=0 skipped=0

ok()   { passed=$((passed + 1)); [ -z "${V-}" ] || echo "ok $1"; }
fail() { failed=$((failed + 1)); echo "FAIL $1: ${2:0:500}"; }
skip() { skipped=$((skipped + 1)); echo "skip $1: $2"; }

# expect <name> <command>...: the command succeeds; what it printed is shown when not
expect() {
	local name=$1
	shift
	if "$@" > "$work/.out" 2>&1; then ok "$name"; else fail "$name" "exit $?: $(head -c 600 "$work/.out")"; fi
}

# same <name> <file> <file>
same() { if cmp -s "$2" "$3"; then ok "$1"; else fail "$1" "differs: $(diff "$2" "$3" | head -5)"; fi; }

# is <name> <got> <wanted>
is() { if [ "$2" = "$3" ]; then ok "$1"; else fail "$1" "got '$2', wanted '$3'"; fi; }

# has <name> <text> <part>
has() { case $2 in *"$3"*) ok "$1" ;; *) fail "$1" "no '$3' in '$2'" ;; esac; }

# Has this object been through the plugin?  Has this program the runtime?
instrumented() { objdump -h "$1" | grep -q raddle_sites; }
has_runtime() { readelf -d "$1" | grep -q 'NEEDED.*libraddle-rt'; }

closing() {
	echo "$passed passed, $failed failed$([ $skipped = 0 ] || echo ", $skipped skipped")"
	[ $failed = 0 ]
}
