# tests/real/sqlite3.sh -- sqlite3: a library of 240,000 lines in one piece, its own locks over files, a virtual machine.
depends="debhelper autoconf libtool automake chrpath lynx libreadline-dev tcl8.6-dev"
program=client

# The package, test programs of its source tree (those compile the library as one file), and our client of the library.
build() {
	CC=$1 CXX=$2 DEB_BUILD_OPTIONS="nocheck parallel=$jobs" debian/rules build && make -j"$jobs" threadtest3 fuzzcheck &&
		"$1" -O2 -g -pthread -I. "$top/tests/real/sqlite3-client.c" .libs/libsqlite3.a -ldl -lm -lz -o client
}

# Thousands of database images and scripts, each must end without complaint; then the shell over a script of our own.
own_tests() {
	local data
	for data in test/fuzzdata[1-5].db; do
		timeout 900 ./fuzzcheck --limit-mem 200M --timeout 60 "$data" 2>&1 | grep -aoE '[0-9]+ errors out of [0-9]+ tests'
		echo "exit ${PIPESTATUS[0]} $data"
	done
	for data in create_drop_index_1 lookaside1 vacuum1; do
		timeout 120 ./threadtest3 $data > threads.log 2>&1
		echo "exit $? threadtest3 $data, $(tail -n 1 threads.log)"
	done
	rm -f test.db*
	./sqlite3 :memory: 2>&1 <<-END
		with recursive n(i) as (select 1 union all select i+1 from n where i < 20000) select count(*), sum(i*i%97) from n;
		create table t(a integer primary key, b text, c real);
		insert into t select value, printf('%d-%s', value*7919%1000, hex(value)), value/3.0 from json_each('[1,2,3,4,5,6,7,8]');
		select b, round(c, 3), row_number() over (order by b) from t order by b;
		create virtual table f using fts5(x);
		insert into f select b from t;
		select rowid, x from f where f match '757*' or f match '919*' order by rowid;
		pragma integrity_check;
	END
}

workload="four threads with a connection each: transactions and sums over one database file"
work() { timed "$@" "$tree/$program" bank.db 4 250; }
steered() { timed "$@" "$tree/$program" bank.db 4 5; }

predicted_what="two connections, a transaction each"
predicted() { "$@" "$tree/$program" bank.db 2 1; }
