/* cli/info_json.c -- raddle info --json: one object per thread, lock, variable, object and call, then the summary.
 * The names are an interface, see raddle-json(5). */
#include <stdio.h>

#include "cli/info.h"
#include "trace/json.h"
#include "trace/text_words.h"

static const char *path_or_null(const struct trace *t, struct thread_id id)
{
	return id.i < trace_thread_count(t) ? trace_thread(t, id)->path : NULL;
}

static void begin(struct json *j, const char *type)
{
	json_object(j);
	json_put_text(j, "type", type);
}

static void finish(struct json *j)
{
	json_end(j, '}');
	json_line(j);
}

static void put_thread(struct json *j, struct trace *t, const struct census *c, const struct objects *o, uint32_t i)
{
	char name[256];
	const struct trace_thread *about = trace_thread(t, (struct thread_id){ i });
	const struct census_thread *n = &c->threads.at[i];
	begin(j, "thread");
	json_put_text(j, "thread", about->path);
	json_put_text(j, "name", about->name);
	json_put_text(j, "parent", path_or_null(t, about->parent));
	json_put_number(j, "events", n->events);
	json_put_number(j, "reads", n->reads);
	json_put_number(j, "writes", n->writes);
	json_put_number(j, "locks", n->locks);
	json_put_number(j, "lost", about->lost);
	json_put_bool(j, "alive_at_end", about->alive_at_end);
	if (n->waits_kind) {
		json_put_text(j, "waits_for", event_word(n->waits_kind));
		json_put_text(j, "waits_object", n->waits_kind == EV_JOIN ? path_or_null(t, n->waits_on)
			: objects_name(o, n->waits_for, name, sizeof name));
		json_put_text(j, "waits_thread", path_or_null(t, n->waits_on));
		if (n->waits_at)
			place_json(j, "waits_at", n->waits_at);
	}
	finish(j);
}

static void put_lock(struct json *j, const struct trace *t, const struct census_lock *l)
{
	begin(j, "lock");
	json_put_text(j, "name", l->name);
	json_put_hex(j, "object", l->address);
	json_put_text(j, "lock_type", l->type && l->type <= LOCK_USER ? lock_words[l->type] : NULL);
	json_put_number(j, "taken", l->taken);
	json_put_number(j, "contended", l->contended);
	json_put_number(j, "failed", l->failed);
	json_put_number(j, "threads", l->threads);
	json_put_text(j, "owner", path_or_null(t, l->owner));
	if (l->owner.i != NO_THREAD.i)
		place_json(j, "taken_at", l->owner_at);
	finish(j);
}

static void put_variable(struct json *j, const struct census_variable *v)
{
	begin(j, "variable");
	json_put_text(j, "name", v->name);
	json_put_number(j, "reads", v->shared_reads);
	json_put_number(j, "writes", v->shared_writes);
	json_put_number(j, "atomics", v->atomics);
	json_put_number(j, "words", v->shared_words);
	json_put_number(j, "threads", v->threads);
	if (v->write_at)
		place_json(j, "written_at", v->write_at);
	if (v->read_at)
		place_json(j, "read_at", v->read_at);
	finish(j);
}

static void put_coverage(struct json *j, const struct trace *t, const struct census *c, uint64_t top)
{
	for (uint32_t i = 0; i < trace_module_count(t); i++) {
		const struct trace_module *m = trace_module(t, i);
		if (object_is_own(m->path))
			continue;
		begin(j, "object");
		json_put_text(j, "path", m->path);
		json_put_text(j, "build_id", m->build_id);
		json_put_bool(j, "instrumented", m->instrumented);
		finish(j);
	}
	for (size_t i = 0; i < c->calls.count && i < top; i++) {
		begin(j, "call");
		json_put_text(j, "function", *c->calls.at[i].name ? c->calls.at[i].name : NULL);
		json_put_number(j, "calls", c->calls.at[i].calls);
		finish(j);
	}
	for (size_t i = 0; i < c->hands.count && i < top; i++) {
		const struct uncovered_hand *h = &c->hands.at[i];
		begin(j, "handed");
		json_put_text(j, "function", *h->name ? h->name : NULL);
		json_put_text(j, "object", *h->object ? h->object : NULL);
		json_put_number(j, "calls", h->calls);
		place_json(j, "at", h->at);
		finish(j);
	}
}

static void put_summary(struct json *j, const struct trace *t, const struct census *c)
{
	char line[1024];
	json_object(j);
	json_put_number(j, "schema", 1);
	json_key(j, "summary");
	json_object(j);
	json_put_text(j, "command", "info");
	json_put_text(j, "trace", trace_path(t));
	json_put_text(j, "order", trace_order(t) == ORDER_TOTAL ? "total" : "per-object");
	program_line(t, line, sizeof line);
	json_put_text(j, "program", line[0] ? line : NULL);
	end_words(t, c, line, sizeof line);
	json_put_text(j, "end", line[0] ? line : NULL);
	json_put_bool(j, "complete", trace_complete(t));
	json_put_bool(j, "cut_short", c->cut_short);
	json_put_number(j, "events", c->events);
	json_put_number(j, "threads", c->threads.count);
	json_put_number(j, "locks", c->locks.count);
	json_put_number(j, "lost", c->lost);
	json_key(j, "kinds");
	json_object(j);
	for (int k = 1; k < EV_COUNT; k++)
		if (c->kinds[k])
			json_put_number(j, event_word((enum event_kind)k), c->kinds[k]);
	json_end(j, '}');
	json_end(j, '}');
	finish(j);
}

void info_json(struct trace *t, const struct census *c, bool coverage, uint64_t top)
{
	struct json j;
	struct objects *o = objects_new(t);
	json_init(&j, stdout);
	for (uint32_t i = 0; i < c->threads.count; i++)
		put_thread(&j, t, c, o, i);
	for (size_t i = 0; i < c->locks.count && i < top; i++)
		put_lock(&j, t, &c->locks.at[i]);
	for (size_t i = 0; i < c->variables.count && i < top && c->variables.at[i].shared_words; i++)
		put_variable(&j, &c->variables.at[i]);
	if (coverage)
		put_coverage(&j, t, c, top);
	put_summary(&j, t, c);
	objects_free(o);
}
