/* report/files.c -- see files.h. */
#include "report/files.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct settling { struct findings *l; const char *root; struct names before; VEC(const char *) after; };

static bool is_file(const char *path)
{
	struct stat facts;
	return stat(path, &facts) == 0 && S_ISREG(facts.st_mode);
}

/* Where it is, into `into`; false: nowhere. */
static bool find(const char *root, const char *path, char into[PATH_MAX])
{
	char folder[PATH_MAX], whole[PATH_MAX * 2];
	if (*path == '/')
		return is_file(path) && realpath(path, into);
	snprintf(folder, sizeof folder, "%s", root);
	for (char *slash = folder; slash;) {
		snprintf(whole, sizeof whole, "%s/%s", folder, path);
		if (is_file(whole) && realpath(whole, into))
			return true;
		slash = strrchr(folder, '/');
		if (slash)
			*slash = 0;
	}
	return false;
}

static const char *settled(const struct settling *s, const char *path)
{
	char whole[PATH_MAX], above[PATH_MAX];
	if (!*path || !find(s->root, path, whole))
		return path;
	size_t length = realpath(s->root, above) ? strlen(above) : 0;
	bool below = length > 1 && !strncmp(whole, above, length) && whole[length] == '/';
	return findings_text(s->l, below ? whole + length + 1 : whole);
}

static void settle(struct settling *s, struct finding_spot *at)
{
	uint32_t id = names_put(&s->before, at->file, strlen(at->file));
	if (id == s->after.count)
		vec_push(&s->after, settled(s, at->file));
	at->file = s->after.at[id];
}

static void settle_locks(struct settling *s, struct finding_locks *locks)
{
	for (size_t i = 0; i < locks->count; i++)
		settle(s, &locks->at[i].taken);
}

void files_settle(struct findings *l, const char *root)
{
	struct settling s = { .l = l, .root = root };
	for (size_t i = 0; i < l->all.count; i++) {
		struct finding *f = l->all.at[i];
		settle(&s, &f->object.at);
		for (size_t k = 0; k < f->places.count; k++) {
			struct finding_place *p = &f->places.at[k];
			settle(&s, &p->at);
			settle(&s, &p->made_at);
			settle_locks(&s, &p->locks);
			for (size_t n = 0; n < p->stack.count; n++)
				settle(&s, &p->stack.at[n]);
		}
		for (size_t k = 0; k < f->steps.count; k++) {
			settle(&s, &f->steps.at[k].at);
			settle_locks(&s, &f->steps.at[k].locks);
		}
	}
	vec_release(&s.after);
	names_release(&s.before);
}
