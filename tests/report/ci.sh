#!/bin/bash
# tests/report/ci.sh -- the recipes of docs/ci.md, run.  In front of each stands what is to come of it:
#   <!-- run: NAME exit CODE leaves FILE... -->
# A recipe is shell, or YAML whose `run` or `script` lines are.  Recipes of one name share a folder, in their order.
#   tests/report/ci.sh [NAME]
set -u
cd "$(dirname "$0")/../.." || exit 1
self=$PWD/tests/report/ci.sh
build=${RADDLE_BUILD:-build} passed=0 failed=0
case $build in /*) ;; *) build=$PWD/$build ;; esac
export PATH=$build:$PATH NO_COLOR=1
page=$PWD/docs/ci.md bank=$PWD/examples/bank.c
room=$(mktemp -d) || exit 1
trap 'rm -rf "$room"' EXIT

ok() { passed=$((passed + 1)); }
fail() { failed=$((failed + 1)); echo "FAIL $*"; }

# The commands in a block of YAML: behind "run:", below "run: |", in the list of "script:".
commands_of_yaml() {
	awk '
		function indent(line) { match(line, /^ */); return RLENGTH }
		block && (indent($0) > block || /^ *$/) { sub(/^ */, ""); print; next }
		{ block = 0 }
		/^ *#/ { next }
		script && indent($0) > script && /^ *- / { sub(/^ *- /, ""); print; next }
		{ script = 0 }
		/^ *(- )?run: \|$/ { block = indent($0); next }
		/^ *(- )?run: / { sub(/^ *(- )?run: /, ""); print; next }
		/^ *script:$/ { script = indent($0) }
	'
}

# recipe <name> <exit code> <files...> and the commands on standard input
recipe() {
	local name=$1 code=$2 file got
	shift 3
	if ! raddle cc --version > /dev/null 2>&1; then fail "$name: raddle cc does not run"; return; fi
	mkdir -p "$room/$name" && cd "$room/$name" || exit 1
	[ -e bank.c ] || cp "$bank" .
	cat > commands
	[ -s commands ] || fail "$name has no commands"
	timeout -k 5 300 bash -e commands > said 2>&1 < /dev/null
	got=$?
	if [ $got = "$code" ]; then ok; else fail "$name: exit $got, not $code"; tail -5 said; fi
	for file; do
		if [ -s "$file" ]; then ok; else fail "$name: no $file was left"; fi
	done
}

# All of them, two at a time.
if [ $# = 0 ]; then
	sed -nE 's/^<!-- run: ([a-z]+) .*/\1/p' "$page" | sort -u | xargs -n 1 -P 2 "$self" > "$room/all"
	grep -v ' passed, ' "$room/all"
	read -r passed failed <<< "$(awk '/ passed, / { p += $1; f += $3 } END { print p + 0, f + 0 }' "$room/all")"
	[ "$passed" -ge 20 ] || fail "only $passed things were asked: are the recipes still found?"
	echo "$passed passed, $failed failed"
	[ "$failed" = 0 ]
	exit
fi

while IFS= read -r line; do
	read -r -a what <<< "$(sed -E 's/<!-- run: (.*) exit (.*) leaves (.*) -->/\1 \2 leaves \3/' <<< "$line")"
	block=$(awk -v mark="$line" '$0 == mark { found = 1; next } found && /^```/ { if (inside) exit; inside = $0; next } inside { print }' "$page")
	kind=$(awk -v mark="$line" '$0 == mark { getline; print; exit }' "$page")
	if [ "$kind" = '```yaml' ]; then block=$(commands_of_yaml <<< "$block"); fi
	recipe "${what[@]}" <<< "$block"
done < <(grep "^<!-- run: $1 " "$page")
echo "$passed passed, $failed failed"
[ $failed = 0 ]
