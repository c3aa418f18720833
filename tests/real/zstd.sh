# tests/real/zstd.sh -- zstd: a library of hand-tuned loops, a thread pool, asynchronous input and output.
depends="cmake debhelper help2man liblz4-dev liblzma-dev zlib1g-dev less python3"
program=programs/zstd

build() { CC=$1 CXX=$2 DEB_BUILD_OPTIONS="nocheck parallel=$jobs" debian/rules build; }

# The command line tests, the dictionary tests and the pool's unit test; the fuzzers run by the clock, so not they.
own_tests() {
	local t
	for t in test-pool test-invalidDictionaries shortest; do
		if CC=$1 CXX=$2 make -C tests $t > "$t.log" 2>&1; then echo "pass $t"; else echo "FAIL $t"; fi
		grep -aE '^(===>|\*\*\*|PASS|FAIL)' "$t.log" | sed 's/[0-9.]* *[KMG]B\/s//; s/^/line /'
	done
}

workload="compress 6 MB with four threads and blocks of 512 KB, then expand"
work() {
	make_input 6000000 > input
	timed "$@" "$tree/$program" -q -f -T4 -3 -B512K input -o output.zst && "$tree/$program" -q -d -c output.zst | cmp - input
}

# A step an access: 600 KB are millions.
steered() {
	make_input 600000 > input
	timed "$@" "$tree/$program" -q -f -T4 -1 -B64K input -o output.zst && "$dir/plain/$program" -q -d -c output.zst | cmp - input
}

hunted_what="compress 200 KB, -T3 -1 -B32K"
hunted() {
	make_input 200000 > input
	"$@" "$tree/$program" -q -f -T3 -1 -B32K -c input
}
