# tests/real/memcached.sh -- memcached: event loops in four threads, a maintenance thread each for LRU, slabs and hash table.
depends="debhelper libevent-dev libio-socket-ssl-perl libsasl2-dev libssl-dev pkg-config"
program=memcached
server=memcached server_end=shutdown
steer_requests=20                          # with a small table: a thread woken for no reason doubles it, entry by entry
predicted_what="two connections, four requests each" predict_requests=4 predict_runs=500

build() { CC=$1 CXX=$2 DEB_BUILD_OPTIONS="nocheck parallel=$jobs" debian/rules build; }
build_tsan() { CFLAGS="-g -O2 -fsanitize=thread" LDFLAGS=-fsanitize=thread CC=clang-19 ./configure && make -j"$jobs" memcached; }

# Its unit tests and every test script that does not watch the clock.
own_tests() {
	CC=$1 CXX=$2 make -j"$jobs" memcached-debug sizes testapp > own.log 2>&1 || echo "FAIL build of the tests"
	./testapp 2>&1 | sed 's/ *$//'
	# shellcheck disable=SC2086
	prove -j2 --formatter TAP::Formatter::File -I t/lib $own_scripts 2>&1 | grep -aE '^t/.*( ok|Failed|Dubious|skipped)|^Result' | sed 's/ *[0-9]* wallclock.*//' | sort -u
}
own_scripts="t/00-startup.t t/64bit.t t/basic_gat.t t/binary.t t/bogus-commands.t t/cas.t t/chunked-extstore.t t/dash-M.t
	t/evictions.t t/flags.t t/flush-all.t t/getandtouch.t t/getset.t t/incrdecr.t t/issue_104.t t/issue_14.t t/issue_22.t
	t/issue_29.t t/issue_50.t t/item_size_max.t t/lru.t t/maxconns.t t/metaget.t t/multiversioning.t t/noreply.t
	t/quit.t t/slabs_reassign2.t t/stats-conns.t t/stats-detail.t t/stats.t t/touch.t t/udp.t t/unixsocket.t t/verbosity.t"

workload="four worker threads, eight connections, get, set and incr with every answer checked"
server_command() { echo "$tree/$program -u nobody -l 127.0.0.1 -p $1 -U 0 -t 4 -m 64 -A${steering:+ -o hashpower=13}"; }
