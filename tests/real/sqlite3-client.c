/* tests/real/sqlite3-client.c -- threads over one database file, a fixed amount of work, its result checked.
 *
 *   sqlite3-client FILE THREADS ROUNDS
 *
 * Each thread has a connection of its own to FILE (made anew, write-ahead log) and in each round moves an amount between
 * two accounts in one transaction, reads the sum of all accounts, and writes a line of a journal.  A busy database is waited
 * for.  At the end the sum must be what it was and the journal must have a line for every round.
 * Exit 0; 1 the result is wrong; 2 bad command line; 3 sqlite refused something. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "sqlite3.h"

#define ACCOUNTS 40
#define EACH 1000

static const char *file;
static int rounds;

static void refuse(sqlite3 *db, const char *what)
{
	fprintf(stderr, "sqlite3-client: %s: %s\n", what, db ? sqlite3_errmsg(db) : "no memory");
	_exit(3);
}

static sqlite3 *open_db(void)
{
	sqlite3 *db = NULL;
	if (sqlite3_open(file, &db) != SQLITE_OK)
		refuse(db, file);
	sqlite3_busy_timeout(db, 60000);
	return db;
}

static void run(sqlite3 *db, const char *sql)
{
	if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
		refuse(db, sql);
}

static long ask(sqlite3 *db, const char *sql)
{
	sqlite3_stmt *query;
	if (sqlite3_prepare_v2(db, sql, -1, &query, NULL) != SQLITE_OK || sqlite3_step(query) != SQLITE_ROW)
		refuse(db, sql);
	long answer = (long)sqlite3_column_int64(query, 0);
	sqlite3_finalize(query);
	return answer;
}

static void *work(void *argument)
{
	unsigned seed = (unsigned)(long)argument;
	long wrong = 0;
	char sql[300];
	sqlite3 *db = open_db();
	for (int i = 0; i < rounds; i++) {
		unsigned from = (seed = seed * 1103515245u + 12345u) / 65536 % ACCOUNTS, to = (from + 7) % ACCOUNTS;
		snprintf(sql, sizeof sql, "begin immediate; update account set amount = amount - 3 where id = %u;"
			"update account set amount = amount + 3 where id = %u;"
			"insert into journal(thread, round, note) values(%ld, %d, printf('%%d to %%d', %u, %u)); commit;",
			from, to, (long)argument, i, from, to);
		run(db, sql);
		wrong += ask(db, "select sum(amount) from account") != ACCOUNTS * EACH;
	}
	sqlite3_close(db);
	return (void *)wrong;
}

int main(int argc, char **argv)
{
	pthread_t thread[64];
	char sql[100];
	long wrong = 0;
	int threads = argc == 4 ? atoi(argv[2]) : 0;
	if (threads < 1 || threads > 64 || (rounds = atoi(argv[3])) < 1) {
		fprintf(stderr, "usage: sqlite3-client FILE THREADS ROUNDS\n");
		return 2;
	}
	file = argv[1];
	unlink(file);
	sqlite3 *db = open_db();
	run(db, "pragma journal_mode = wal; pragma synchronous = off; create table account(id integer primary key, amount integer);"
		"create table journal(thread integer, round integer, note text); create index by_thread on journal(thread, round);");
	for (int i = 0; i < ACCOUNTS; i++) {
		snprintf(sql, sizeof sql, "insert into account values(%d, %d)", i, EACH);
		run(db, sql);
	}
	for (long i = 0; i < threads; i++)
		pthread_create(&thread[i], NULL, work, (void *)(i + 1));
	for (int i = 0; i < threads; i++) {
		void *one;
		pthread_join(thread[i], &one);
		wrong += (long)one;
	}
	long sum = ask(db, "select sum(amount) from account"), lines = ask(db, "select count(*) from journal");
	snprintf(sql, sizeof sql, "select count(*) from journal where thread = %d", threads);
	long last = ask(db, sql);
	sqlite3_close(db);
	printf("sum %ld, lines %ld, of the last thread %ld, wrong %ld\n", sum, lines, last, wrong);
	return sum != ACCOUNTS * EACH || lines != (long)threads * rounds || last != rounds || wrong;
}
