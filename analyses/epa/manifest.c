/* analyses/epa/manifest.c -- see manifest.h. */
#include "analyses/epa/manifest.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyses/epa/rows.h"
#include "base/file.h"
#include "base/json.h"
#include "base/json_read.h"
#include "base/str.h"
#include "wire/version.h"

#define MANIFEST_MOST   (4ull << 30)
#define MANIFEST_SCHEMA 2

/* ---- writing ---- */

static void put_files(struct json *j, const struct identity *i)
{
	json_key(j, "files");
	json_array(j);
	for (size_t k = 0; k < i->files.count; k++) {
		char real[4096];
		const struct identity_file *f = &i->files.at[k];
		ssize_t length = strcmp(f->what, "tool") ? -1 : readlink(f->path, real, sizeof real - 1);
		if (length >= 0)
			real[length] = 0;
		json_object(j);
		json_put_text(j, "what", f->what);
		json_put_text(j, "path", length >= 0 ? real : f->path);
		json_put_text(j, "sha256", f->hash);
		json_end(j, '}');
	}
	json_end(j, ']');
}

static int put_results(struct json *j, struct db *db, struct err *why)
{
	struct db_query *q;
	struct digest all;
	char hash[DIGEST_ROOM];
	int got = campaign_rows(db, &q, why);
	if (got < 0)
		return -1;
	digest_begin(&all);
	json_key(j, "results");
	json_array(j);
	while ((got = db_next(q, why)) > 0) {
		row_digest(q, hash);
		digest_add(&all, hash, strlen(hash));
		digest_add(&all, "\n", 1);
		json_object(j);
		json_put_number(j, "id", (uint64_t)db_number(q, ROW_ID));
		json_put_text(j, "fault", db_text(q, ROW_FAULT));
		json_put_text(j, "site", db_text(q, ROW_SITE));
		json_put_text(j, "outcome", db_text(q, ROW_OUTCOME));
		json_put_text(j, "sha256", hash);
		json_end(j, '}');
	}
	json_end(j, ']');
	db_done(q);
	digest_end(&all, hash);
	json_put_text(j, "results_sha256", hash);
	return got;
}

int manifest_write(struct campaign *k, const char *config_path, FILE *to, struct err *why)
{
	struct identity i;
	struct json j;
	int got = identity_make(&i, k, config_path, why);
	if (got == 0) {
		json_init(&j, to);
		json_object(&j);
		json_put_number(&j, "schema", MANIFEST_SCHEMA);
		json_put_text(&j, "manifest", "raddle campaign");
		json_put_text(&j, "version", RADDLE_VERSION);
		json_put_text(&j, "hash", "sha256");
		json_put_number(&j, "seed", k->config->seed);
		json_put_text(&j, "campaign", i.whole);
		json_put_text(&j, "list", i.list);
		json_put_bool(&j, "complete", k->done == k->total);
		json_key(&j, "golden");
		json_object(&j);
		json_put_number(&j, "exit", (uint64_t)k->golden.exit);
		json_put_number(&j, "threads", k->golden.canon.lane_count);
		json_put_text(&j, "sha256", k->golden.digest);
		json_end(&j, '}');
		put_files(&j, &i);
		got = put_results(&j, k->db, why);
		json_end(&j, '}');
		json_line(&j);
	}
	identity_release(&i);
	return got;
}

/* ---- checking ---- */

struct checking { manifest_told told; void *with; struct manifest_check *out; };

__attribute__((format(printf, 2, 3)))
static void differs(struct checking *c, const char *format, ...)
{
	char text[900];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	c->told(c->with, text);
	c->out->differ++;
}

/* The n-th file of that kind is the n-th there. */
static const struct json_value *file_in(const struct json_value *files, const char *what, size_t nth)
{
	for (const struct json_value *f = files->first; f; f = f->next) {
		const char *is = json_member_text(f, "what");
		if (is && !strcmp(is, what) && nth-- == 0)
			return f;
	}
	return NULL;
}

static void check_files(struct checking *c, const struct identity *i, const struct json_value *files)
{
	for (size_t k = 0; k < i->files.count; k++) {
		const struct identity_file *f = &i->files.at[k];
		size_t nth = 0;
		for (size_t m = 0; m < k; m++)
			nth += !strcmp(i->files.at[m].what, f->what);
		const struct json_value *was = file_in(files, f->what, nth);
		const char *hash = was ? json_member_text(was, "sha256") : NULL;
		c->out->files++;
		if (!hash)
			differs(c, "%s '%.300s' is not in the manifest", f->what, f->path);
		else if (strcmp(hash, f->hash))
			differs(c, "%s '%.300s' is another: sha256 %.16s..., the manifest has %.16s...", f->what, f->path, f->hash, hash);
	}
	if (files->count > i->files.count)
		differs(c, "the manifest has %zu files, the campaign %zu", files->count, i->files.count);
}

static bool says(const struct json_value *object, const char *key, const char *text)
{
	const char *is = json_member_text(object, key);
	return is && !strcmp(is, text);
}

/* Of a result of the manifest, all it says. */
static bool is_result(const struct json_value *r, const struct db_query *q, const char *hash)
{
	return says(r, "sha256", hash) && says(r, "fault", db_text(q, ROW_FAULT)) && says(r, "site", db_text(q, ROW_SITE)) && says(r, "outcome", db_text(q, ROW_OUTCOME));
}

static int check_results(struct checking *c, struct db *db, const struct json_value *results, const char *all_were, struct err *why)
{
	struct db_query *q;
	struct digest all;
	char hash[DIGEST_ROOM];
	const struct json_value *r = results->first;
	int got = campaign_rows(db, &q, why);
	if (got < 0)
		return -1;
	digest_begin(&all);
	while ((got = db_next(q, why)) > 0) {
		const struct json_value *id = json_member(r, "id");
		c->out->results++;
		row_digest(q, hash);
		digest_add(&all, hash, strlen(hash));
		digest_add(&all, "\n", 1);
		if (!id || id->type != JSON_NUMBER || id->number != (double)db_number(q, ROW_ID)) {
			differs(c, "fault %" PRId64 " is in the database and not in the manifest", db_number(q, ROW_ID));
			continue;
		}
		if (!is_result(r, q, hash))
			differs(c, "the result of fault %" PRId64 " in the database is not the one of the manifest", db_number(q, ROW_ID));
		r = r->next;
	}
	for (; r; r = r->next)
		differs(c, "a fault of the manifest has no result in the database");
	db_done(q);
	digest_end(&all, hash);
	if (strcmp(all_were, hash))
		differs(c, "results_sha256 is %.16s..., the manifest has %.16s...", hash, all_were);
	return got;
}

static int no_manifest(const char *path, const char *what, struct err *why)
{
	err_set(why, "'%.200s' is no manifest of a campaign: %s", path, what);
	err_hint(why, "without --audit, --manifest=<file> writes one");
	why->code = 3;
	return -1;
}

struct wanted_member { const char *key; enum json_type type; };

/* What every manifest has; JSON_TRUE: yes or no. */
static const struct wanted_member of_manifest[] = { { "version", JSON_TEXT }, { "seed", JSON_NUMBER }, { "campaign", JSON_TEXT }, { "list", JSON_TEXT }, { "complete", JSON_TRUE },
	{ "golden", JSON_OBJECT }, { "files", JSON_ARRAY }, { "results", JSON_ARRAY }, { "results_sha256", JSON_TEXT }, { NULL, JSON_NULL } };
static const struct wanted_member of_golden[] = { { "exit", JSON_NUMBER }, { "threads", JSON_NUMBER }, { "sha256", JSON_TEXT }, { NULL, JSON_NULL } };

/* The first that is not there, or is something else; NULL none. */
static const char *lacking(const struct json_value *v, const struct wanted_member *all)
{
	for (; all->key; all++) {
		const struct json_value *m = json_member(v, all->key);
		uint64_t number;
		if (!m || (m->type != all->type && !(all->type == JSON_TRUE && m->type == JSON_FALSE)) || (m->type == JSON_NUMBER && !str_number(m->text, &number)))
			return all->key;
	}
	return NULL;
}

/* Is it one, and whole?  0, or -1 and why. */
static int check_form(const struct json_value *v, const char *path, struct err *why)
{
	char text[100];
	const struct json_value *schema = json_member(v, "schema");
	uint64_t number;
	if (!says(v, "manifest", "raddle campaign") || !says(v, "hash", "sha256"))
		return no_manifest(path, "it does not say so", why);
	if (!schema || schema->type != JSON_NUMBER || !str_number(schema->text, &number) || number != MANIFEST_SCHEMA) {
		snprintf(text, sizeof text, "its schema is not %d", MANIFEST_SCHEMA);
		return no_manifest(path, text, why);
	}
	const char *key = lacking(v, of_manifest), *within = key ? NULL : lacking(json_member(v, "golden"), of_golden);
	if (!key && !within)
		return 0;
	snprintf(text, sizeof text, "%s%s is not there, or is not what it should be", within ? "golden." : "", within ? within : key);
	return no_manifest(path, text, why);
}

static void check_number(struct checking *c, const struct json_value *v, const char *key, const char *what, uint64_t now)
{
	uint64_t was;
	if (!str_number(json_member(v, key)->text, &was) || was != now)
		differs(c, "%s is %" PRIu64 ", the manifest has %.30s", what, now, json_member(v, key)->text);
}

static void check_head(struct checking *c, const struct campaign *k, const struct identity *i, const struct json_value *v)
{
	const struct json_value *golden = json_member(v, "golden");
	bool complete = k->done == k->total, was = json_member(v, "complete")->type == JSON_TRUE;
	if (!says(v, "version", RADDLE_VERSION))
		differs(c, "this is version " RADDLE_VERSION ", the manifest has %.40s", json_member_text(v, "version"));
	check_number(c, v, "seed", "the seed", k->config->seed);
	check_number(c, golden, "exit", "the exit code of the run without a fault", (uint64_t)k->golden.exit);
	check_number(c, golden, "threads", "the number of threads of the run without a fault", k->golden.canon.lane_count);
	if (!says(golden, "sha256", k->golden.digest))
		differs(c, "the run without a fault is %.16s..., the manifest has %.16s...", k->golden.digest, json_member_text(golden, "sha256"));
	if (complete != was)
		differs(c, "the campaign is %scomplete, in the manifest it is%s", complete ? "" : "not ", was ? "" : " not");
	if (!says(v, "list", i->list))
		differs(c, "the list of faults in the database is not the one of the manifest");
	if (!says(v, "campaign", i->whole))
		differs(c, "the campaign is %.16s..., the manifest has %.16s...", i->whole, json_member_text(v, "campaign"));
}

static int check_all(struct checking *c, struct campaign *k, const char *config_path, const char *path, const struct json_value *v, struct err *why)
{
	struct identity i;
	if (check_form(v, path, why) < 0)
		return -1;
	int got = identity_make(&i, k, config_path, why);
	if (got == 0) {
		check_files(c, &i, json_member(v, "files"));
		check_head(c, k, &i, v);
		got = check_results(c, k->db, json_member(v, "results"), json_member_text(v, "results_sha256"), why);
	}
	identity_release(&i);
	return got;
}

int manifest_check(struct campaign *k, const char *config_path, const char *path, manifest_told told, void *with, struct manifest_check *out, struct err *why)
{
	struct arena a = { 0 };
	struct checking c = { told, with, out };
	char *bytes, where[64];
	size_t count, at = 0;
	*out = (struct manifest_check){ 0 };
	if (file_read(path, MANIFEST_MOST, &bytes, &count, why) < 0) {
		why->code = 3;
		return -1;
	}
	const struct json_value *v = json_read(&a, bytes, count, &at);
	snprintf(where, sizeof where, "byte %zu is not what JSON has there", at);
	int got = v ? check_all(&c, k, config_path, path, v, why) : no_manifest(path, where, why);
	arena_release(&a);
	mem_free(bytes);
	return got;
}
