#!/bin/bash
# tests/doc/doc.sh -- holds the manual against the program.
#   options   every option of each -h stands in the command's man page, and no other does
#   pages     every page is well formed (where mandoc or groff is there)
#   examples  every EXAMPLES line after '.\" run' runs and exits 0, in the order of its page
#   docs      every command of a block after '<!-- run -->' in README.md and docs/ runs, in the order of its page: whatever it finds, the
#             command line and its files are good
#   pointers  every test docs/qualification.md names is there, and every file of ours that README and docs/ name
#   json      every name printed with --json is in raddle-json(5)
# tests/doc/doc.sh [options|pages|examples|docs|pointers|json]
set -u
cd "$(dirname "$0")/../.." || exit 1
build=${RADDLE_BUILD:-build}
case $build in /*) ;; *) build=$PWD/$build ;; esac
export PATH=$build:$PATH NO_COLOR=1
root=$PWD passed=0 failed=0 skipped=0
room=$(mktemp -d) || exit 1
trap 'rm -rf "$room"' EXIT

ok() { passed=$((passed + 1)); }
fail() { failed=$((failed + 1)); echo "FAIL $*"; }
skip() { skipped=$((skipped + 1)); echo "skip $*"; }

check_options() {
	local command page
	for command in record show info export import run replay hunt minimize predict check verify-certificate determinism sites diff inject campaign doctor cc; do
		page=docs/man/raddle-$command.1
		if [ $command = cc ]; then raddle-cc --raddle-help; else raddle $command -h; fi 2>/dev/null \
			| grep -oE '^ +(-[a-z], )?--[a-z-]+' | grep -oE -- '--[a-z-]+' | sort -u > "$room/help"
		{ grep -E '^\.It .*Fl -[a-z]' "$page" | grep -oE 'Fl -[a-z-]+' | sed 's/Fl -/--/'
		  grep -A 1 '^\.TP' "$page" | grep -oE -- '--[a-z][a-z-]+'; } | sort -u > "$room/page"
		if [ ! -s "$room/help" ]; then skip "options of $command: it prints no help"; continue; fi
		if diff "$room/help" "$room/page" > "$room/diff"; then ok; else
			fail "$page and 'raddle $command -h' differ (< help, > page)"; grep '^[<>]' "$room/diff"
		fi
	done
	for command in $(raddle help | sed -n 's/^  \([a-z+-]*\) .*/\1/p'); do
		if grep -qE "Nm Cm ${command//+/\\+}( |$)" docs/man/raddle.1; then ok; else fail "docs/man/raddle.1 does not name '$command'"; fi
	done
}

check_pages() {
	local page
	for page in docs/man/*.[1-9]; do
		if grep -q '^\.so ' "$page"; then              # another name of a page
			if [ -e "docs/man/$(sed -n 's|^\.so man./||p' "$page")" ]; then ok; else fail "$page leads nowhere"; fi
		elif command -v mandoc > /dev/null; then
			if mandoc -T lint -W error "$page" > "$room/lint" 2>&1; then ok; else fail "$page"; head -5 "$room/lint"; fi
		elif command -v groff > /dev/null; then
			if [ -z "$(groff -mandoc -ww -z "$page" 2>&1 | tee "$room/lint")" ]; then ok; else fail "$page"; head -5 "$room/lint"; fi
		else
			skip "$page: neither mandoc nor groff is here"
		fi
	done
}

run_examples() {
	local page line
	for page in docs/man/*.1; do
		rm -rf "$room/work"; mkdir "$room/work"; cp tests/doc/bank.c "$room/work"
		( cd "$room/work" && raddle cc -O1 -g -pthread bank.c -o bank && raddle record -- ./bank ) > "$room/log" 2>&1 \
			|| { skip "examples of $page: a program cannot be recorded here: $(tail -1 "$room/log")"; continue; }
		while IFS= read -r line; do
			if ( cd "$room/work" && bash -c "set -o pipefail; $line" ) > "$room/log" 2>&1 < /dev/null; then ok; else
				fail "$page: $line"; tail -5 "$room/log"
			fi
		done < <(sed -n '/^\.\\" run$/{n;s/^\.Dl //p}' "$page")
	done
}

# The commands of the blocks that are marked, without comments.
marked_commands() {
	awk '/^<!-- run -->$/ { marked = 1; next }
	     marked && /^    / { inside = 1; sub(/^    /, ""); if (sub(/^\$ /, "") || /^raddle(-[a-z+]+)? /) { sub(/ +# .*/, ""); print } next }
	     inside && !/^    / { marked = inside = 0 }' "$1"
}

run_docs() {
	local page line code
	for page in README.md docs/*.md; do
		[ -n "$(marked_commands "$page")" ] || continue
		rm -rf "$room/work"; mkdir "$room/work"; cp examples/epa/*.c "$room/work"; cp examples/*.c "$room/work"
		while IFS= read -r line; do
			( cd "$room/work" && timeout 120 bash -c "$line" ) > "$room/log" 2>&1 < /dev/null
			code=$?
			case $code in
			2|3|4|124|125|126|127) fail "$page: $line: exit $code"; tail -5 "$room/log" ;;
			*) ok ;;
			esac
		done < <(marked_commands "$page")
	done
}

check_pointers() {
	local name
	for name in $(grep -ohE 'tests/[a-z]+(/[a-z.-]+)*' docs/qualification.md | sort -u); do
		if [ -e "$name" ]; then ok; else fail "docs/qualification.md names '$name', which is not there"; fi
	done
	for name in $(grep -ohE '(^|[^A-Za-z0-9_/.-])[a-z]+(/[A-Za-z0-9_-]+)+\.(c|h|S|sh|mk)\b' README.md docs/*.md | sed 's/^[^a-z]*//' | sort -u); do
		case $name in */NAME.*) continue ;; esac         # "a command's code is in cli/NAME.c"
		if [ -e "$name" ]; then ok; else
			fail "$(grep -lF "$name" README.md docs/*.md | head -1) names '$name', which is not there"
		fi
	done
}

check_json() {
	local name
	( cd "$room" && raddle cc -O1 -pthread "$root/tests/doc/bank.c" -o bank ) > /dev/null 2>&1
	{ ( cd "$room" && raddle run --json -- ./bank; raddle hunt --runs=20 --json -- ./bank; raddle hunt --runs=1 --fail-if=exit=0 --json -- ./bank
	    raddle predict --all --json -- ./bank
	    raddle minimize --fail-if=exit=0 --json fail-1.sched ); raddle show --json "$root/tests/data/kinds.txt"; raddle info --json --coverage "$root/tests/data/stuck.txt"
	  raddle info --json --coverage "$root/tests/data/kinds.txt"; raddle doctor --json; raddle sites --json "$room/bank"
	  ( cd "$room" && raddle cc --raddle=full -O1 "$root/tests/run/campaign/outcomes/prog.c" -o full && raddle inject --json --fault=Delay:1 --at=main%0 -- ./full
	    raddle sites --json full; raddle sites --json faulty.trace
	    printf '[program]\ncommand = ./full\n[faults]\ntypes = WrongBranch\nruns = 1\n' > x.ini && raddle campaign --json x.ini )
	  for case in "$root"/tests/data/cases/[28]*; do raddle determinism --json "$case"; done
	  raddle info --verify --json "$root/tests/data/kinds.txt"; raddle info --verify --json "$root/tests/data/bank.txt"; } 2>/dev/null \
		| sed -E 's/"(kinds|causes)":\{[^}]*\}/"\1":0/' | grep -oE '[{,]"[a-z_]+":' | grep -oE '[a-z_]+' | sort -u > "$room/names"
	while read -r name; do
		if grep -qE "(^|[^a-z_])$name([^a-z_]|$)" docs/man/raddle-json.5; then ok; else fail "raddle-json(5) does not have '$name'"; fi
	done < "$room/names"
}

case ${1:-all} in
options) check_options ;;
pages) check_pages ;;
examples) run_examples ;;
docs) run_docs ;;
pointers) check_pointers ;;
json) check_json ;;
all) check_options; check_pages; run_examples; run_docs; check_pointers; check_json ;;
*) echo "no such test: $1"; exit 2 ;;
esac
echo "$passed passed, $failed failed$([ $skipped = 0 ] || echo ", $skipped skipped")"
[ $failed = 0 ]
