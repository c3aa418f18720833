/* analyses/epa/identity.c -- see identity.h. */
#include "analyses/epa/identity.h"

#include <stdio.h>
#include <string.h>

#include "wire/version.h"

static int take_file(struct identity *i, const char *what, const char *folder, const char *path, struct err *why)
{
	struct identity_file *f = vec_add(&i->files);
	snprintf(f->what, sizeof f->what, "%s", what);
	snprintf(f->path, sizeof f->path, "%s%s%s", *path == '/' || !*folder ? "" : folder, *path == '/' || !*folder ? "" : "/", path);
	if (digest_file(f->path, f->hash, why) < 0)
		return -1;
	snprintf(f->path, sizeof f->path, "%s", path);
	return 0;
}

/* What the program was linked to: files the golden run had in memory.  One that cannot be read any more, as [vdso], is left out. */
static void take_libraries(struct identity *i, const struct campaign *k)
{
	struct err ignored;
	for (uint32_t m = 0; m < trace_module_count(k->golden.trace); m++) {
		const char *path = trace_module(k->golden.trace, m)->path;
		if (*path == '/' && strcmp(path, k->golden.program) && take_file(i, "library", "", path, &ignored) < 0)
			i->files.count--;
	}
}

static void digest_whole(struct identity *i, const struct campaign_config *c, const char *golden)
{
	struct digest d;
	digest_begin(&d);
	digest_text(&d, "raddle " RADDLE_VERSION);
	digest_text(&d, c->hash);
	digest_text(&d, i->list);
	digest_text(&d, golden);
	for (size_t k = 0; k < i->files.count; k++) {
		const struct identity_file *f = &i->files.at[k];
		if (!strcmp(f->what, "program") || !strcmp(f->what, "input") || !strcmp(f->what, "schedule") || !strcmp(f->what, "needs"))
			digest_text(&d, f->hash);
	}
	digest_end(&d, i->whole);
}

int identity_make(struct identity *i, struct campaign *k, const char *config_path, struct err *why)
{
	const struct campaign_config *c = k->config;
	memset(i, 0, sizeof *i);
	int got = take_file(i, "tool", "", "/proc/self/exe", why);
	if (got == 0)
		got = take_file(i, "program", "", k->golden.program, why);
	if (got == 0 && *c->input)
		got = take_file(i, "input", k->golden.folder, c->input, why);
	if (got == 0 && c->schedule && strcmp(c->schedule, "first"))
		got = take_file(i, "schedule", k->golden.folder, c->schedule, why);
	for (size_t n = 0; n < c->needs.count && got == 0; n++)
		got = take_file(i, "needs", k->golden.folder, c->needs.at[n], why);
	if (got == 0)
		got = take_file(i, "config", "", config_path, why);
	if (got == 0)
		got = campaign_list(k->db, i->list, why);
	if (got < 0)
		return -1;
	take_libraries(i, k);
	digest_whole(i, c, k->golden.digest);
	return 0;
}

void identity_release(struct identity *i)
{
	vec_release(&i->files);
}
