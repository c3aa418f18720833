/* analyses/check/resume.c -- see resume.h.
 * Tables: about (name, value), what it is of; part (name, bytes, sum), one for each of packed.h; piece (part, number, content), 16 KB of one each.
 *   (1) whatever is written is written in one transaction: the file is that of one moment;
 *   (2) a piece that has not changed since it was last kept is not written again;
 *   (3) `sum` is a hash of the whole part: what a disk or another program did to the file is noticed. */
#include "analyses/check/resume.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/db.h"
#include "analyses/check/packed.h"
#include "drive/program.h"

#define APPLICATION 0x72646c63          /* "rdlc" */
#define PIECE       16384u
#define DYING_MS    5000                /* a raddle that was killed may hold the file a little longer than it seems to live (guardian.h) */
#define MOST_PART   ((sqlite3_int64)1 << 36)

struct resume {
	sqlite3 *file;
	const char *path;
	VEC(uint64_t) pieces[PACKED_PARTS];     /* hashes of those in the file */
	size_t around;                          /* objects and variables in the file */
};

/* ---------------------------------------------------------------- asking SQLite */

static int refuse(struct resume *r, struct err *why)
{
	int code = sqlite3_errcode(r->file);
	if (code == SQLITE_BUSY || code == SQLITE_LOCKED)
		err_set(why, "state '%s' is in use by another process", r->path);
	else if (code == SQLITE_NOTADB || code == SQLITE_CORRUPT || code == SQLITE_ERROR || code == SQLITE_MISMATCH)
		err_set(why, "state '%s' is damaged, or was not written by 'raddle check'", r->path);
	else
		err_set(why, "cannot use state '%s': %s", r->path, sqlite3_errmsg(r->file));
	why->code = 3;
	return -1;
}

static int damaged(const struct resume *r, struct err *why)
{
	err_set(why, "state '%s' is damaged", r->path);
	why->code = 3;
	return err_hint(why, "remove it to begin anew");
}

static int ask(struct resume *r, const char *text, struct err *why)
{
	return sqlite3_exec(r->file, text, NULL, NULL, NULL) == SQLITE_OK ? 0 : refuse(r, why);
}

/* A statement with its name and number bound; NULL and why. */
static sqlite3_stmt *prepare(struct resume *r, const char *text, const char *name, sqlite3_int64 number, struct err *why)
{
	sqlite3_stmt *s = NULL;
	if (sqlite3_prepare_v2(r->file, text, -1, &s, NULL) != SQLITE_OK) {
		refuse(r, why);
		return NULL;
	}
	if (name)
		sqlite3_bind_text(s, 1, name, -1, SQLITE_STATIC);
	if (number >= 0)
		sqlite3_bind_int64(s, 2, number);
	return s;
}

/* Does it, whatever rows it has. */
static int finish(struct resume *r, sqlite3_stmt *s, struct err *why)
{
	if (!s)
		return -1;
	int got = sqlite3_step(s);
	return sqlite3_finalize(s) == SQLITE_OK && (got == SQLITE_DONE || got == SQLITE_ROW) ? 0 : refuse(r, why);
}

/* One number; `missing` if there is no row.  0, or -1 and why. */
static int number_of(struct resume *r, const char *text, const char *name, sqlite3_int64 missing, sqlite3_int64 *out, struct err *why)
{
	sqlite3_stmt *s = prepare(r, text, name, -1, why);
	int got = s ? sqlite3_step(s) : SQLITE_ERROR;
	*out = got == SQLITE_ROW ? sqlite3_column_int64(s, 0) : missing;
	if (s && sqlite3_finalize(s) == SQLITE_OK && (got == SQLITE_ROW || got == SQLITE_DONE))
		return 0;
	return refuse(r, why);
}

/* ---------------------------------------------------------------- what it is of */

/* Arguments with a mark between them that no argument has. */
static void join(char *const *argv, struct buffer *out)
{
	for (size_t i = 0; argv[i]; i++) {
		buffer_print(out, "%s", i ? " " : "");
		for (const char *c = argv[i]; *c; c++)
			buffer_print(out, *c == ' ' || *c == '\\' ? "\\%c" : "%c", *c);
	}
	buffer_add(out, "", 1);
}

/* 0: the file says so, or says so from now on. */
static int agree(struct resume *r, const char *name, const char *value, const char *words, bool fresh, struct err *why)
{
	sqlite3_stmt *s = prepare(r, fresh ? "INSERT INTO about VALUES (?1, ?2)" : "SELECT value FROM about WHERE name = ?1", name, -1, why);
	if (!s)
		return -1;
	if (fresh) {
		sqlite3_bind_text(s, 2, value, -1, SQLITE_STATIC);
		return finish(r, s, why);
	}
	int got = sqlite3_step(s);
	const char *there = got == SQLITE_ROW ? (const char *)sqlite3_column_text(s, 0) : NULL;
	bool same = there && !strcmp(there, value), known = there;
	sqlite3_finalize(s);
	if (got != SQLITE_ROW && got != SQLITE_DONE)
		return refuse(r, why);
	if (!known)
		return damaged(r, why);
	if (same)
		return 0;
	err_set(why, "state '%s' is of %s", r->path, words);
	why->code = 3;
	return err_hint(why, "name another file, or remove it to begin anew");
}

static int agree_all(struct resume *r, const struct resume_about *about, bool fresh, struct err *why)
{
	static const char *const models[] = { "sc", "tso", "pso" };
	char path[4096], hash[PROGRAM_HASH], raddle[PROGRAM_HASH], heap[16];
	struct buffer arguments = { 0 };
	if (program_find(about->argv[0], path, sizeof path, why) < 0 || program_hash(path, hash, why) < 0 ||
			program_hash("/proc/self/exe", raddle, why) < 0)
		return -1;
	snprintf(heap, sizeof heap, "%u", about->heap);
	join(about->argv, &arguments);
	int got = agree(r, "raddle", raddle, "another build of raddle", fresh, why) < 0 ||
		agree(r, "program", hash, "another program, or another build of it", fresh, why) < 0 ||
		agree(r, "arguments", (const char *)arguments.at, "a program with other arguments", fresh, why) < 0 ||
		agree(r, "model", models[about->model], "another memory model", fresh, why) < 0 ||
		agree(r, "heap", heap, "another '--heap'", fresh, why) < 0 ||
		agree(r, "output", about->same_output ? "same" : "any", "another '--same-output'", fresh, why) < 0 ||
		agree(r, "trust", about->trusted ? about->trusted : "", "another '--trust'", fresh, why) < 0 ? -1 : 0;
	buffer_release(&arguments);
	return got;
}

bool resume_fits(struct resume *r, struct surroundings *now, struct err *why)
{
	char what[512];
	bool fits = false;
	sqlite3_stmt *s = prepare(r, "SELECT value FROM about WHERE name = ?1", "around", -1, why);
	if (!s)
		return false;
	const char *lines = sqlite3_step(s) == SQLITE_ROW ? (const char *)sqlite3_column_text(s, 0) : NULL;
	if (!lines) {
		damaged(r, why);
	} else if (!surroundings_same(lines, now, what, sizeof what)) {
		err_set(why, "state '%s' is of %s", r->path, what);
		why->code = 3;
		err_hint(why, "name another file, or remove it to begin anew");
	} else {
		surroundings_add(now, lines);
		fits = true;
	}
	sqlite3_finalize(s);
	return fits;
}

/* They are hashed again only when there are more of them. */
static int keep_around(struct resume *r, const struct surroundings *around, struct err *why)
{
	size_t count = around->objects.count + around->variables.count;
	struct buffer lines = { 0 };
	if (r->around == count)
		return 0;
	surroundings_print(around, true, &lines);
	sqlite3_stmt *s = prepare(r, "INSERT OR REPLACE INTO about VALUES (?1, ?2)", "around", -1, why);
	if (s)
		sqlite3_bind_text(s, 2, (const char *)lines.at, -1, SQLITE_STATIC);
	int got = finish(r, s, why);
	buffer_release(&lines);
	r->around = count;
	return got;
}

static int make_tables(struct resume *r, struct err *why)
{
	char text[64];
	snprintf(text, sizeof text, "PRAGMA application_id = %d", APPLICATION);
	if (ask(r, "CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL);"
		"CREATE TABLE count (name TEXT PRIMARY KEY, value INTEGER NOT NULL);"
		"CREATE TABLE part (name TEXT PRIMARY KEY, bytes INTEGER NOT NULL, sum INTEGER NOT NULL);"
		"CREATE TABLE piece (part TEXT NOT NULL, number INTEGER NOT NULL, content BLOB NOT NULL, PRIMARY KEY (part, number));", why) < 0)
		return -1;
	return ask(r, text, why);
}

/* Within a transaction: whose file is it? */
static int begin(struct resume *r, const struct resume_about *about, struct err *why)
{
	sqlite3_int64 id, tables;
	if (number_of(r, "PRAGMA application_id", NULL, 0, &id, why) < 0 || number_of(r, "SELECT count(*) FROM sqlite_master", NULL, 0, &tables, why) < 0)
		return -1;
	if (tables && id != APPLICATION) {
		err_set(why, "'%s' is a database of something else, not a state of 'raddle check'", r->path);
		why->code = 3;
		return -1;
	}
	if (!tables && make_tables(r, why) < 0)
		return -1;
	return agree_all(r, about, !tables, why);
}

int resume_open(struct resume **out, const char *path, const struct resume_about *about, struct err *why)
{
	struct resume *r = mem_take(sizeof *r);
	r->path = path;
	int got = program_check_output(path, why);
	if (got == 0)
		got = db_claim(path, why);
	if (got == 0)
		got = sqlite3_open_v2(path, &r->file, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) == SQLITE_OK ? 0 : refuse(r, why);
	if (got == 0)
		sqlite3_busy_timeout(r->file, DYING_MS);
	if (got == 0)
		got = ask(r, "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = NORMAL; BEGIN EXCLUSIVE", why);
	if (got == 0)
		got = begin(r, about, why);
	if (got == 0)
		got = ask(r, "COMMIT", why);
	if (got < 0) {
		resume_close(r);
		return -1;
	}
	*out = r;
	return 0;
}

void resume_close(struct resume *r)
{
	if (!r)
		return;
	sqlite3_close(r->file);
	for (int i = 0; i < PACKED_PARTS; i++)
		vec_release(&r->pieces[i]);
	mem_free(r);
}

/* ---------------------------------------------------------------- taken */

static sqlite3_int64 sum_of(const struct buffer *b) { return (sqlite3_int64)XXH3_64bits(b->count ? b->at : (const uint8_t *)"", b->count); }

static int take_part(struct resume *r, enum packed_part part, struct buffer *out, struct err *why)
{
	sqlite3_int64 bytes, sum;
	const char *name = packed_name(part);
	if (number_of(r, "SELECT bytes FROM part WHERE name = ?1", name, -1, &bytes, why) < 0 || number_of(r, "SELECT sum FROM part WHERE name = ?1", name, 0, &sum, why) < 0)
		return -1;
	sqlite3_stmt *s = prepare(r, "SELECT number, content FROM piece WHERE part = ?1 ORDER BY number", name, -1, why);
	if (!s)
		return -1;
	int got;
	while ((got = sqlite3_step(s)) == SQLITE_ROW) {
		const void *content = sqlite3_column_blob(s, 1);
		int count = sqlite3_column_bytes(s, 1);
		if (!content || sqlite3_column_int64(s, 0) != (sqlite3_int64)r->pieces[part].count || out->count + (size_t)count > (uint64_t)bytes || bytes > MOST_PART)
			break;
		buffer_add(out, content, (size_t)count);
		vec_push(&r->pieces[part], XXH3_64bits(content, (size_t)count));
	}
	sqlite3_finalize(s);
	if (got != SQLITE_ROW && got != SQLITE_DONE)
		return refuse(r, why);
	return got == SQLITE_DONE && (sqlite3_int64)out->count == bytes && sum_of(out) == sum ? 0 : damaged(r, why);
}

int resume_take(struct resume *r, struct threads *t, struct ends *e, uint64_t *most_steps, struct err *why)
{
	struct buffer parts[PACKED_PARTS] = { 0 };
	sqlite3_int64 kept, executions, steps;
	if (number_of(r, "SELECT count(*) FROM part", NULL, 0, &kept, why) < 0)
		return -1;
	if (!kept)
		return 0;
	int got = number_of(r, "SELECT value FROM count WHERE name = 'executions'", NULL, -1, &executions, why) < 0 ||
		number_of(r, "SELECT value FROM count WHERE name = 'most_steps'", NULL, -1, &steps, why) < 0 ? -1 : 1;
	for (int i = 0; i < PACKED_PARTS && got > 0; i++)
		got = take_part(r, (enum packed_part)i, &parts[i], why) < 0 ? -1 : 1;
	if (got > 0 && (!packed_take(parts, t, e) || executions != (sqlite3_int64)e->count || steps < 0))
		got = damaged(r, why);
	if (got > 0)
		*most_steps = (uint64_t)steps;
	for (int i = 0; i < PACKED_PARTS; i++)
		buffer_release(&parts[i]);
	return got;
}

/* ---------------------------------------------------------------- kept */

static int keep_piece(struct resume *r, enum packed_part part, size_t number, const uint8_t *at, size_t count, struct err *why)
{
	uint64_t hash = XXH3_64bits(at, count);
	if (number < r->pieces[part].count && r->pieces[part].at[number] == hash)
		return 0;
	sqlite3_stmt *s = prepare(r, "INSERT OR REPLACE INTO piece VALUES (?1, ?2, ?3)", packed_name(part), (sqlite3_int64)number, why);
	if (!s)
		return -1;
	sqlite3_bind_blob(s, 3, at, (int)count, SQLITE_STATIC);
	if (finish(r, s, why) < 0)
		return -1;
	if (number == r->pieces[part].count)
		vec_push(&r->pieces[part], hash);
	r->pieces[part].at[number] = hash;
	return 0;
}

static int keep_part(struct resume *r, enum packed_part part, const struct buffer *b, struct err *why)
{
	size_t pieces = (b->count + PIECE - 1) / PIECE;
	for (size_t i = 0; i < pieces; i++)
		if (keep_piece(r, part, i, b->at + i * PIECE, i + 1 < pieces ? PIECE : b->count - i * PIECE, why) < 0)
			return -1;
	if (pieces < r->pieces[part].count) {
		if (finish(r, prepare(r, "DELETE FROM piece WHERE part = ?1 AND number >= ?2", packed_name(part), (sqlite3_int64)pieces, why), why) < 0)
			return -1;
		r->pieces[part].count = pieces;
	}
	sqlite3_stmt *s = prepare(r, "INSERT OR REPLACE INTO part VALUES (?1, ?2, ?3)", packed_name(part), (sqlite3_int64)b->count, why);
	if (s)
		sqlite3_bind_int64(s, 3, sum_of(b));
	return finish(r, s, why);
}

int resume_keep(struct resume *r, const struct threads *t, struct ends *e, uint64_t most_steps, struct err *why)
{
	int got = ask(r, "BEGIN IMMEDIATE", why);
	for (int i = 0; i < PACKED_PARTS && got == 0; i++) {
		struct buffer b = { 0 };
		packed_make(t, e, (enum packed_part)i, &b);
		got = keep_part(r, (enum packed_part)i, &b, why);
		buffer_release(&b);
	}
	if (got == 0)
		got = keep_around(r, &t->around, why);
	if (got == 0)
		got = finish(r, prepare(r, "INSERT OR REPLACE INTO count VALUES (?1, ?2)", "executions", (sqlite3_int64)(e->count - e->again), why), why);
	if (got == 0)
		got = finish(r, prepare(r, "INSERT OR REPLACE INTO count VALUES (?1, ?2)", "most_steps", (sqlite3_int64)most_steps, why), why);
	return got == 0 ? ask(r, "COMMIT", why) : -1;
}
