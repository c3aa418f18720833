# tests/real/pbzip2.sh -- pbzip2: C++ of 2003, a producer, consumers and a writer over mutexes and condition variables.
depends="debhelper libbz2-dev"
program=pbzip2

# Its makefile names the compiler itself: what stands on make's command line wins.
build() { MAKEFLAGS="CC=$1 CXX=$2" DEB_BUILD_OPTIONS=nocheck debian/rules build; }

# It has no suite of its own: the round trip its manual promises, over options.
own_tests() {
	local options
	make_input 1500000 > own.in
	for options in -p1 -p4 "-p4 -b1" "-p4 -1" "-p4 -S256" "-p2 --read"; do
		# shellcheck disable=SC2086
		if "./$program" -q -k -c $options own.in > own.bz2 && "./$program" -q -d -c own.bz2 | cmp -s - own.in
		then echo "pass round trip $options"; else echo "FAIL round trip $options"; fi
		if cksum < own.bz2 | sed "s/^/sum of $options /"; then :; fi
	done
	head -c 50000 own.bz2 > cut.bz2
	"./$program" -q -d -c cut.bz2 > own.out 2>&1
	echo "cut input: exit $?"
}

workload="compress 4 MB with four threads, then expand with four"
work() {
	make_input 4000000 > input
	timed "$@" "$tree/$program" -q -k -f -p4 -b2 input && timed "$@" "$tree/$program" -q -d -c -p4 input.bz2 | cmp - input
}

# 1 MB in blocks of 100 KB.
steered() {
	make_input 1000000 > input
	timed "$@" "$tree/$program" -q -k -f -p4 -b1 input && "$dir/plain/$program" -q -d -c input.bz2 | cmp - input
}

hunted_what="compress 400 KB, -p3 -b1"
hunted() {
	make_input 400000 > input
	"$@" "$tree/$program" -q -k -c -p3 -b1 input
}

# Fewer slots for packed blocks than blocks: slots are used again.
predicted_what="compress 400 KB, -p4 -b1 -m1"
predicted() {
	make_input 400000 > input
	"$@" "$tree/$program" -q -k -c -p4 -b1 -m1 input
}
