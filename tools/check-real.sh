#!/bin/bash
# tools/check-real.sh -- real programs: Debian source packages by name, built with plain clang and with raddle.
#   tools/check-real.sh [-k] [-q] [-s | -o | -p] [-r <n>] [<package>...]      default: zstd redis memcached sqlite3 pbzip2
#     -k  keep trees that are already built         -q  no figures: build, tests, one recording
#     -s  build and steer only: steps 1, 2, 7 to 9   -r  replays of a package (default 100)
#     -o  build and record only: steps 1 to 6        -p  build with raddle and predict only: steps 1, 2 and 9
#
# For each package, in build/real/NAME:
#   1. the source, through an apt configuration of our own (the machine's is not changed), build needs by name;
#   2. `debian/rules build` with clang-19 (tree plain; warnings gcc does not have are no errors there either) and with
#      raddle-cc (tree raddle), unmodified;
#   3. the package's own tests in both trees: what they print must be the same;
#   4. a workload of several threads, its output checked: plain, under `record --last=4M`, under `record` to disk;
#   5. `raddle info --verify`: no contradiction, reads by unseen writers at most 1 %, listed in NAME/unseen;
#   6. servers: requests/s and p99 plain, under --last and with ThreadSanitizer; redis: build time and size;
#   7. steered: `raddle run --policy=random:SEED` for 20 seeds, its output checked; the last one's schedule is then replayed
#      with the client gone and every file of the run removed: all traces must be the same, byte for byte.
#   8. hunted: `raddle hunt` over 1000 schedules, where tests/real/NAME.sh says of what; every report is to be examined.
#   9. predicted: `raddle predict` of the same, or of what tests/real/NAME.sh says: what is confirmed is to be examined, of all candidates that were tried at most 10 % are left open (neither confirmed nor
#      closed by a rule, though the recorded events allow them), each with the step at which its schedule was left, in NAME/predicted.
# What a package needs for that is in tests/real/NAME.sh.  Rows of what was run go into the tables of docs/real-programs.md; all else there is written by hand.
# Exit 0: all as it should be.  RADDLE_BUILD: where raddle is (default build).  RADDLE_SEEDS: how many seeds (default 20).
# RADDLE_HUNT: how many schedules (default 1000).  RADDLE_PREDICT: how many runs to confirm predictions (default 2000).
set -u
cd "$(dirname "$0")/.." || exit 1
top=$PWD
raddle=${RADDLE_BUILD:-build}
case $raddle in /*) ;; *) raddle=$top/$raddle ;; esac
real=$top/build/real
page=$top/docs/real-programs.md
jobs=2                                          # for tests/real/NAME.sh
keep='' quick='' steer_only='' record_only='' predict_only='' replays=100 seeds=${RADDLE_SEEDS:-20} hunts=${RADDLE_HUNT:-1000} predictions=${RADDLE_PREDICT:-2000}
while getopts kqsopr: option; do
	case $option in k) keep=1 ;; q) quick=1 ;; s) steer_only=1 ;; o) record_only=1 ;; p) predict_only=1 ;; r) replays=$OPTARG ;; *) exit 2 ;; esac
done
case $replays in *[!0-9]* | '') echo "check-real.sh: -r takes a number, not '$replays'" >&2; exit 2 ;; esac
shift $((OPTIND - 1))
packages=${*:-zstd redis memcached sqlite3 pbzip2}
export LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive
passed=0 failed=0
ok() { passed=$((passed + 1)); echo "  ok    $1"; }
bad() { failed=$((failed + 1)); echo "  FAIL  $1"; }
judge() { if [ "$1" = 0 ]; then ok "$2"; else bad "$2"; return 1; fi; }

# ---------------------------------------------------------------- sources

# The machine's sources, asked for source packages, with lists and cache of our own.
private_apt() {
	local file
	apt=(apt-get -qq -o "Dir::Etc::sourcelist=$real/apt/none" -o "Dir::Etc::sourceparts=$real/apt/parts"
		-o "Dir::State::lists=$real/apt/lists" -o "Dir::Cache=$real/apt/cache" -o APT::Sandbox::User=root)
	[ -e "$real/apt/ready" ] && return
	rm -rf "$real/apt"
	mkdir -p "$real"/apt/{parts,lists/partial,cache/archives/partial}
	for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
		[ -e "$file" ] && sed -nE 's/^deb[[:space:]]/deb-src /p' "$file" > "$real/apt/parts/${file##*/}"
	done
	for file in /etc/apt/sources.list.d/*.sources; do
		[ -e "$file" ] && grep -q '^Types:.*deb\b' "$file" && ! grep -q '^Types: *deb-src *$' "$file" &&
			sed -E 's/^Types:.*/Types: deb-src/' "$file" > "$real/apt/parts/${file##*/}"
	done
	mv "$real/apt/parts/sources.list" "$real/apt/parts/main.list" 2>/dev/null
	"${apt[@]}" update && touch "$real/apt/ready"
}

# get_source NAME: its unpacked tree in NAME/source
get_source() {
	local dir=$real/$1
	[ -d "$dir/source" ] && return 0
	mkdir -p "$dir/fetched"
	private_apt || return 1
	(cd "$dir/fetched" && "${apt[@]}" source "$1" > "../source.log" 2>&1) || return 1
	mv "$(find "$dir/fetched" -mindepth 1 -maxdepth 1 -type d)" "$dir/source"
	rm -rf "$dir/fetched"
}

install_needs() {
	local missing='' name
	for name in $depends; do
		[ "$(dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null)" = installed ] || missing="$missing $name"
	done
	[ -z "$missing" ] && return 0
	if [ "$(id -u)" != 0 ]; then
		echo "raddle: some packages are missing; as root, run:  apt-get install --no-install-recommends$missing" >&2
		return 1
	fi
	# shellcheck disable=SC2086
	apt-get install -y -qq --no-install-recommends $missing > /dev/null
}

# ---------------------------------------------------------------- building and testing

TIMEFORMAT='%U %S %R'

# clang as it is, but as patient with programs written for gcc as raddle-cc
plain_compiler() {
	printf '#!/bin/sh\nexec %s "$@" -Wno-unknown-warning-option %s\n' "$1" \
		"-Wno-error=reserved-user-defined-literal -Wno-error=strict-prototypes" > "$2"
	chmod +x "$2"
}

# make_tree NAME VARIANT CC CXX: builds; its CPU seconds in VARIANT.time
make_tree() {
	local dir=$real/$1 step=build
	tree=$dir/$2
	[ -n "$keep" ] && [ -e "$dir/$2.time" ] && return 0
	rm -rf "$tree" "$dir/$2.time"
	cp -a "$dir/source" "$tree"
	[ "$2" = tsan ] && step=build_tsan
	{ time { (cd "$tree" && $step "$3" "$4") > "$dir/$2.log" 2>&1; }; } 2> "$dir/$2.spent" || return 1
	mv "$dir/$2.spent" "$dir/$2.time"
}

# test_tree NAME VARIANT CC CXX: what the package's own tests say, in VARIANT.tests
test_tree() {
	local dir=$real/$1
	[ -n "$keep" ] && [ -e "$dir/$2.tests" ] && return 0
	(cd "$dir/$2" && own_tests "$3" "$4") > "$dir/$2.own" 2>&1
	mv "$dir/$2.own" "$dir/$2.tests"
}

# ---------------------------------------------------------------- workloads

# Bytes neither empty nor hard to pack, the same everywhere: this project's own sources, over and over.
make_input() {
	# shellcheck disable=SC2046
	(cd "$top" && while cat $(git ls-files '*.c' '*.h'); do :; done) 2>/dev/null | head -c "$1"
}

free_port() {
	local port=$((20000 + RANDOM % 20000))
	while (exec 3<> "/dev/tcp/127.0.0.1/$port") 2>/dev/null; do port=$((port + 1)); done
	echo $port
}

# Runs a command of the workload; its time counts.
timed() { { time "$@" 2> "$room/err"; } 2>> "$spent"; }

# A server is a workload too: started under "$@", asked by our client, told to end by its own protocol.
serve() {
	local port child answer command
	port=$(free_port)
	eval "command=($(server_command "$port"))"
	timed "$@" "${command[@]}" > server.log &
	child=$!
	"$real/client" "$server" "$port" "$connections" "$requests" > "$room/client" 2> client.err
	answer=$?
	(exec 3<> "/dev/tcp/127.0.0.1/$port" && printf '%s\r\n' "$server_end" >&3 && timeout 10 cat <&3) > /dev/null 2>&1
	wait "$child"
	return $answer
}

# run_work VARIANT [command...]: the workload in that tree under that command; sets cpu (seconds), and rate, p99 of servers
run_work() {
	local status
	tree=$dir/$1 spent=$room/spent
	shift
	rm -rf "$room" && mkdir -p "$room/run" && cd "$room/run" || return 1
	if [ -n "${server-}" ]; then serve "$@"; else work "$@"; fi > "$room/said" 2>&1
	status=$?
	cd "$top" || exit 1
	cpu=$(awk '{ t += $1 + $2 } END { printf "%.3f", t }' "$spent")
	[ -n "${server-}" ] && read -r _ _ rate _ p99 < "$room/client"
	return $status
}

ratio() { awk -v a="$1" -v b="$2" 'BEGIN { if (b > 0) printf "%.1fx", a / b; else printf "-" }'; }
field() { grep -ao "\"$2\": *[0-9]*" "$1" | tail -1 | grep -o '[0-9]*$'; }

# ---------------------------------------------------------------- one package

# Every step writes what it found into a variable of the same name as its column.
check_package() {
	local name=$1 lines
	local dir=$real/$name room=$real/$name/room requests=20000 connections=8 server='' version='' built=no tests=- events=- each=- last=- disk=- unseen=-
	local cc=$raddle/raddle-cc cxx=$raddle/raddle-c++ trace=$real/$name/run.trace
	unset -f build build_tsan own_tests work steered hunted predicted server_command
	predicted_what='' predict_requests='' predict_connections='' predict_runs=''
	# shellcheck source=/dev/null
	. "$top/tests/real/$name.sh"
	echo "$name"
	mkdir -p "$dir"
	rm -f "$dir"/{row,steered,hunt-row,predict-row,figures,build-figures}       # of another time: the page has them
	install_needs && get_source "$name"
	judge $? "source and build needs" || return
	version=$(sed -n '1s/.*(\(.*\)).*/\1/p' "$dir/source/debian/changelog")
	if [ -z "$predict_only" ]; then
		make_tree "$name" plain "$real/plain-cc" "$real/plain-c++"
		judge $? "plain build" || return
	fi
	make_tree "$name" raddle "$cc" "$cxx"
	judge $? "raddle build ($dir/raddle.log)" || return
	built=yes
	[ -n "$predict_only" ] && { predict_package; return; }
	if [ -z "$record_only" ]; then
		steer_package
		hunt_package
		predict_package
	fi
	[ -n "$steer_only" ] && return

	test_tree "$name" plain "$real/plain-cc" "$real/plain-c++"
	test_tree "$name" raddle "$cc" "$cxx"
	lines=$(wc -l < "$dir/plain.tests")
	if diff "$dir/plain.tests" "$dir/raddle.tests" > "$dir/tests.diff"; then tests="same, $lines"; else tests="DIFFER"; fi
	[ "$tests" != DIFFER ] && [ "$lines" -gt 0 ]
	judge $? "own tests: $lines results, the same in both ($dir/tests.diff)"

	run_work plain
	judge $? "workload: $workload"
	local plain_cpu=$cpu
	run_work raddle "$raddle/raddle" record --last=4M -o "$dir/last.trace" --
	judge $? "the same under record --last"
	last=$(ratio "$cpu" "$plain_cpu")
	run_work raddle "$raddle/raddle" record -o "$trace" --
	judge $? "the same recorded to disk"
	disk=$(ratio "$cpu" "$plain_cpu")

	"$raddle/raddle" info --json "$trace" > "$dir/info.json"
	judge $? "raddle info"
	events=$(field "$dir/info.json" events)
	each=$(awk -v b="$(stat -c %s "$trace")" -v n="${events:-0}" 'BEGIN { if (n) printf "%.2f", b / n }')
	"$raddle/raddle" info --verify "$trace" > "$dir/verify" 2>&1
	judge $? "raddle info --verify"
	unseen=$(sed -n 's/.*unseen writers (\([0-9.]*\) %).*/\1/p' "$dir/verify")
	sed -n '/^unseen writers/,/^calls/p' "$dir/verify" > "$dir/unseen"
	awk -v u="${unseen:-100}" 'BEGIN { exit u > 1 }'
	judge $? "unseen writers ${unseen:-?} % (listed in $dir/unseen)"
	echo "| $name | $version | $built | $tests | $events | $each | $last | $disk | ${unseen:-?} % |" > "$dir/row"

	if [ -z "$quick" ]; then
		[ -n "$server" ] && figures_of_server
		[ "$name" = redis ] && figures_of_build
	fi
	rm -rf "$room" "$dir"/last.trace*
}

# Requests/s and p99, best of three rounds each, alternating; ThreadSanitizer beside.
figures_of_server() {
	local best_plain=0 best_last=0 best_tsan=0 low_plain=0 low_last=0 low_tsan=0
	make_tree "$name" tsan "$real/plain-cc" "$real/plain-c++"
	judge $? "ThreadSanitizer build ($dir/tsan.log)" || return
	for _ in 1 2 3; do
		run_work plain && better plain
		run_work raddle "$raddle/raddle" record --last=4M -o "$dir/last.trace" -- && better last
		TSAN_OPTIONS="report_bugs=0 exitcode=0" run_work tsan && better tsan
	done
	printf '| %s | %s | %s | %s | %s | %s | %s |\n' "$name" $best_plain $low_plain $best_last $low_last $best_tsan $low_tsan > "$dir/figures"
}

# better WHICH: keeps rate and p99 of this round if it was the fastest
better() {
	local best=best_$1 low=low_$1
	[ "$rate" -gt "${!best}" ] || return 0
	printf -v "$best" %s "$rate"
	printf -v "$low" %s "$p99"
}

# CPU seconds of the two builds (same -j), bytes of the program.
figures_of_build() {
	local p r plain=$dir/plain/$program raddled=$dir/raddle/$program
	p=$(awk '{ print $1 + $2 }' "$dir/plain.time") r=$(awk '{ print $1 + $2 }' "$dir/raddle.time")
	{
		echo "| build, CPU seconds | $p | $r | $(ratio "$r" "$p") |"
		echo "| program, bytes | $(stat -c %s "$plain") | $(stat -c %s "$raddled") | $(ratio "$(stat -c %s "$raddled")" "$(stat -c %s "$plain")") |"
		p=$(size "$plain" | awk 'NR == 2 { print $1 + $2 }') r=$(size "$raddled" | awk 'NR == 2 { print $1 + $2 }')
		echo "| text and data, bytes | $p | $r | $(ratio "$r" "$p") |"
	} > "$dir/build-figures"
}

# ---------------------------------------------------------------- steered

# One steered run in an empty directory, under "$@", its output checked; less to do than recorded, every access is a step.
steer_once() {
	local steering=1 connections=8 requests=${steer_requests-0} spent=$room/spent status
	rm -rf "$room" && mkdir -p "$room/run" && cd "$room/run" || return 1
	chmod 777 .                             # a server may have another user's rights
	if [ -n "$server" ]; then serve "$@"; else steered "$@"; fi > "$room/said" 2>&1
	status=$?
	cd "$top" || exit 1
	return $status
}

# said WORD: that number of the line `raddle run` ended with
said() { sed -n "s/^raddle: exit 0;.* \\([0-9,]*\\) $1[,;].*/\\1/p" "$room/err" | tail -n 1 | tr -d , | grep . || echo 0; }

# Seeds, then replays; what a run that failed printed is in NAME/steer.failed-*.
steer_package() {
	local seed right=0 same=0 tried=0 events=0 switches=0 threads started run_time replay_time sched=$dir/steer.sched
	rm -f "$dir"/steer.* "$dir/steered"
	tree=$dir/raddle
	started=$(date +%s%N)
	for ((seed = 1; seed <= seeds; seed++)); do
		if steer_once "$raddle/raddle" run --timeout=300 --policy=random:$seed --save-schedule="$sched" -- && [ "$(said events)" -gt 0 ]
		then right=$((right + 1)); else cat "$room/err" "$room/said" > "$dir/steer.failed-$seed" 2> /dev/null; fi
		events=$((events + $(said events))) switches=$((switches + $(said switches))) threads=$(said threads)
	done
	run_time=$(per_run "$started" "$seeds")
	[ $right = $seeds ]
	judge $? "steered: $right of $seeds seeds right (others: $dir/steer.failed-*)"
	replay_package
	judge $? "steered: $same of $tried replays identical, client and files gone"
	printf '| %s ' "$name" "$threads" "$right of $seeds" $((events / seeds)) $((switches / seeds)) "$run_time" "$same of $tried" "$replay_time" > "$dir/steered"
	echo '|' >> "$dir/steered"
	rm -rf "$room" "$dir"/steer.trace* "$sched" "$dir/steer.input"
}

# A failure it finds is kept with its schedule in NAME/hunted, to be looked at.
hunt_package() {
	local json=$dir/hunt.json failures runs
	declare -F hunted > /dev/null || return 0
	rm -rf "$dir/hunted" && mkdir -p "$dir/hunted" && cd "$dir/hunted" || return 1
	tree=$dir/raddle
	hunted "$raddle/raddle" hunt --json --runs="$hunts" -- > "$json" 2> "$dir/hunt.err"
	cd "$top" || exit 1
	failures=$(field "$json" failures)
	runs=$(tail -1 "$json" | sed -n 's/.*"runs":\([0-9]*\),"distinct".*/\1/p')        # of the whole: parts of the summary have their own
	[ "${failures:-1}" = 0 ] && [ "${runs:-0}" = "$hunts" ]
	judge $? "hunted: ${runs:-?} schedules of $hunted_what, ${failures:-?} failures ($dir/hunted)"
	printf '| %s ' "$name" "$hunted_what" "$(field "$json" most_threads)" "$(field "$json" most_events)" "$runs" \
		"$(field "$json" distinct)" "$failures" "$(grep -o '"seconds":[0-9.]*' "$json" | cut -d: -f2)" > "$dir/hunt-row"
	echo '|' >> "$dir/hunt-row"
}

# Every run of a server that is looked at has clients of its own, one after another until this is ended.
send_clients() {
	trap 'kill $! 2> /dev/null; exit' TERM
	while :; do
		timeout 30 "$real/client" "$server" "$1" "${predict_connections:-2}" "$predict_requests" &
		wait $!
		(exec 3<> "/dev/tcp/127.0.0.1/$1" && printf '%s\r\n' "$server_end" >&3 && timeout 10 cat <&3) &
		wait $!
	done > /dev/null 2>&1
}

predict_server() {
	local steering=1 port clients command
	port=$(free_port)
	eval "command=($(server_command "$port"))"
	send_clients "$port" &
	clients=$!
	"$@" "${command[@]}"
	kill "$clients"
	wait "$clients"
}

# Schedules of what was confirmed are kept in NAME/predicted.
predict_package() {
	local json=$dir/predict.json confirmed left closed maybe count how=hunted seconds=300 what=${predicted_what:-${hunted_what-}} most=$predictions
	[ -n "${predict_requests-}" ] && how=predict_server seconds=20
	[ "${predict_runs:-$most}" -lt "$most" ] && most=$predict_runs
	declare -F predicted > /dev/null && how=predicted
	declare -F $how > /dev/null || return 0
	rm -rf "$dir/predicted" && mkdir -p "$dir/predicted" && cd "$dir/predicted" || return 1
	tree=$dir/raddle
	$how "$raddle/raddle" predict --all --json --runs="$most" --timeout=$seconds -- > "$json" 2> "$dir/predict.err"
	cd "$top" || exit 1
	confirmed=$(field "$json" confirmed) left=$(field "$json" not_reproduced) closed=$(field "$json" infeasible) maybe=$(field "$json" speculative)
	count=$((${confirmed:-0} + ${left:-0} + ${closed:-0} + ${maybe:-0}))
	[ -n "$confirmed" ] && [ $((10 * ${left:-0})) -le $count ]
	judge $? "predicted from one run of $what: $confirmed confirmed, $left left open, $maybe speculative, $closed closed by a rule ($dir/predicted)"
	printf '| %s ' "$name" "$what" "$(field "$json" events)" "$(field "$json" runs)" "$confirmed" "$left" "$maybe" "$closed" "$(field "$json" predicted)" \
		"$(grep -o '"seconds":[0-9.]*' "$json" | cut -d: -f2)" > "$dir/predict-row"
	echo '|' >> "$dir/predict-row"
}

# Sets same, tried, replay_time.
replay_package() {
	local first=$dir/steer.trace again=$dir/steer.trace-again
	started=$(date +%s%N)
	rm -rf "$room" && mkdir -p "$room/run" && chmod 777 "$room/run"
	for ((tried = 0; tried < replays; tried++)); do
		if (cd "$room/run" && timeout 600 "$raddle/raddle" replay --save-trace="$again" "$sched") > "$dir/steer.log" 2>&1 &&
			{ [ $tried -gt 0 ] || mv "$again" "$first"; } && { [ $tried = 0 ] || cmp "$first" "$again" >> "$dir/steer.log"; }
		then same=$((same + 1)); else cp "$dir/steer.log" "$dir/steer.failed-replay"; fi
	done
	replay_time=$(per_run "$started" "$tried")
	[ $same = $tried ]
}

per_run() { awk -v a="$1" -v b="$(date +%s%N)" -v n="$2" 'BEGIN { if (n > 0) printf "%.2f", (b - a) / n / 1e9; else printf "-" }'; }

# ---------------------------------------------------------------- all of them, and the tables

# put_rows FILE HEADING: what the packages that were run have left in files of that name goes into the page's table under that heading.
put_rows() {
	local name found=''
	for name in $packages; do [ -e "$real/$name/$1" ] && found=1; done
	[ -n "$found" ] || return 0
	for name in $packages; do cat "$real/$name/$1" 2> /dev/null; done | "$top/tools/table-rows.sh" "$page" "$2"
	judge $? "rows of $1 in $page"
}

mkdir -p "$real"
plain_compiler clang-19 "$real/plain-cc"
plain_compiler clang++-19 "$real/plain-c++"
clang-19 -O2 -pthread "$top/tests/real/client.c" -o "$real/client" || exit 1
for package in $packages; do
	if [ ! -e "$top/tests/real/$package.sh" ]; then
		echo "check-real.sh: unknown package '$package'" >&2
		exit 2
	fi
	check_package "$package"
done
put_rows row "| package | version "
put_rows steered "| package | threads | seeds "
put_rows hunt-row "| package | what | threads "
put_rows predict-row "| package | what | events "
put_rows figures "| server "
put_rows build-figures "| | plain | raddle "
echo "$passed passed, $failed failed"
[ $failed = 0 ]
