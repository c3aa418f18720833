# tests/real/redis.sh -- redis: one main thread, three input and output threads, three background ones; Lua and jemalloc inside.
depends="debhelper libhiredis-dev libjemalloc-dev liblua5.1-dev liblzf-dev libssl-dev libsystemd-dev lua-bitop-dev
	lua-cjson-dev openssl pkg-config procps tcl tcl-tls"
program=src/redis-server
server=redis server_end="SHUTDOWN NOSAVE"
requests=2500                              # its threads spin: on two busy cores a request takes long
steer_requests=20
# Fewer connections than that and its threads have nothing to do: the main one serves all.
predicted_what="sixteen connections, two requests each" predict_connections=16 predict_requests=2 predict_runs=300

build() { CC=$1 CXX=$2 DEB_BUILD_OPTIONS="nocheck parallel=$jobs" debian/rules build; }
# ThreadSanitizer brings a malloc of its own, so not jemalloc.
build_tsan() { make -j"$jobs" MALLOC=libc CC=clang-19 CFLAGS="-fsanitize=thread -I/usr/include/liblzf" LDFLAGS="-fsanitize=thread -llzf" OPTIMIZATION=-O2; }

# Suites of the package that do not depend on how fast the machine is.
own_tests() {
	local suite
	for suite in unit/printver unit/type/string unit/type/incr unit/type/hash unit/type/set unit/type/list unit/type/zset \
		unit/keyspace unit/scan unit/auth unit/multi unit/sort unit/bitops unit/geo unit/protocol unit/scripting \
		unit/dump unit/pubsub unit/quit unit/acl integration/rdb integration/convert-zipmap-hash-on-load; do
		timeout 600 ./runtest --clients 1 --single "$suite" 2>&1 |
			sed -E 's/\x1b\[[0-9;]*m//g' | grep -aE '^\[(ok|err|exception|skip)' | sed -E 's/ \([0-9]+ m?s\)$//'
	done
	echo "end of suites"
}

workload="io-threads 4 with reads, eight connections, GET, SET and INCR with every answer checked"
server_command() {
	echo "$tree/$program --port $1 --bind 127.0.0.1 --io-threads 4 --io-threads-do-reads yes --save '' --daemonize no --logfile /dev/null"
}
