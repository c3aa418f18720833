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
#include "wire/version.h"

#define MANIFEST_MOST (4ull << 30)

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
		json_put_number(&j, "schema", 1);
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
		json_put_number(&j, "events", k->golden.canon.events);
		json_put_number(&j, "threads", k->golden.canon.lane_count);
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
}

static int check_results(struct checking *c, struct db *db, const struct json_value *results, struct err *why)
{
	struct db_query *q;
	char hash[DIGEST_ROOM];
	const struct json_value *r = results->first;
	int got = campaign_rows(db, &q, why);
	if (got < 0)
		return -1;
	while ((got = db_next(q, why)) > 0) {
		const struct json_value *id = json_member(r, "id");
		const char *was = r ? json_member_text(r, "sha256") : NULL;
		c->out->results++;
		if (!id || id->type != JSON_NUMBER || id->number != (double)db_number(q, ROW_ID)) {
			differs(c, "fault %" PRId64 " is in the database and not in the manifest", db_number(q, ROW_ID));
			continue;
		}
		row_digest(q, hash);
		if (!was || strcmp(was, hash))
			differs(c, "the result of fault %" PRId64 " in the database is not the one of the manifest", db_number(q, ROW_ID));
		r = r->next;
	}
	for (; r; r = r->next)
		differs(c, "a fault of the manifest has no result in the database");
	db_done(q);
	return got;
}

static int no_manifest(const char *path, const char *what, struct err *why)
{
	err_set(why, "'%.200s' is no manifest of a campaign: %s", path, what);
	err_hint(why, "without --audit, --manifest=<file> writes one");
	why->code = 3;
	return -1;
}

static int check_all(struct checking *c, struct campaign *k, const char *config_path, const char *path, const struct json_value *v, struct err *why)
{
	const struct json_value *files = json_member(v, "files"), *results = json_member(v, "results");
	const char *is = json_member_text(v, "manifest"), *list = json_member_text(v, "list"), *hash = json_member_text(v, "hash");
	struct identity i;
	if (!is || strcmp(is, "raddle campaign") || !hash || strcmp(hash, "sha256"))
		return no_manifest(path, "it does not say so", why);
	if (!files || files->type != JSON_ARRAY || !results || results->type != JSON_ARRAY || !list)
		return no_manifest(path, "it lacks files, results or list", why);
	int got = identity_make(&i, k, config_path, why);
	if (got == 0) {
		check_files(c, &i, files);
		if (strcmp(list, i.list))
			differs(c, "the list of faults in the database is not the one of the manifest");
		got = check_results(c, k->db, results, why);
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
