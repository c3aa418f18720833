# tests/real/sqlite3.sh -- sqlite3: one huge library, its own locking over files, a virtual machine of computed branches.
depends="debhelper autoconf libtool automake chrpath lynx libreadline-dev tcl8.6-dev"
program=threadtest3

# The package, then the stress program of its source tree, linked to the library just built.
build() {
	CC=$1 CXX=$2 DEB_BUILD_OPTIONS="nocheck parallel=$jobs" debian/rules build &&
		make -j"$jobs" testfixture &&
		"$1" -O2 -g -pthread -I. -Isrc -DSQLITE_THREADSAFE=1 test/threadtest3.c src/test_multiplex.c -o threadtest3 \
			-DSQLITE_CORE -DSQLITE_TEST=0 .libs/libsqlite3.a -ldl -lm -lz
}

own_tests() {
	local t
	for t in select1 select6 insert update delete index trigger1 join view where btree01 pager1 wal thread001 thread002 \
		thread003 thread004 thread005 thread1 thread2 thread3 fts3aa fts3ab json101 rtree1 window1 with1 vacuum savepoint; do
		[ -e "test/$t.test" ] || continue
		timeout 900 ./testfixture "test/$t.test" 2>&1 | grep -aE '^(![^ ]*|[0-9]+ errors out of|.*\.\.\. (Ok|FAILED))' |
			sed -E 's/^([0-9]+ errors out of [0-9]+) .*/\1/; s/^Time: .*//'
		echo "end of $t"
	done
}

workload="threadtest3: walthread and lock tests over one database file, several threads each"
work() { timed "$@" "$tree/$program" create_drop_index_1 lookaside1; }
