/* analyses/epa/picture.c -- see picture.h.  A fault is made again for its picture: to follow what was wrong costs more than the run, and few are looked at. */
#include "analyses/epa/picture.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *copied(const char *text)
{
	size_t bytes = strlen(text) + 1;
	return memcpy(mem_take(bytes), text, bytes);
}

/* ---- a graph as a picture ---- */

static void take_node(struct picture *out, const struct spread *s, uint32_t node)
{
	const struct spread_node *n = &s->nodes.at[node];
	const char *thread = s->diff->threads[n->thread].path;
	char name[600], where[256];
	spread_name(s, node, name, sizeof name);        /* "T_0_1 total": the lane says the thread */
	size_t skip = strlen(thread) + 1;
	const char *own = strlen(name) > skip ? name + skip : name;
	book_where(s->diff->other->book, n->place, where, sizeof where);
	vec_push(&out->nodes, ((struct picture_node){ copied(own), copied(where), copied(deviation_words[n->kind]), picture_lane(out, thread), n->times, n->converged,
		n->origin }));
}

void spread_picture(const struct spread *s, struct picture *out)
{
	memset(out, 0, sizeof *out);
	out->all_nodes = s->nodes.count;
	out->all_edges = s->edges.count;
	for (uint32_t i = 0; i < s->nodes.count && i < PICTURE_NODES; i++)
		take_node(out, s, i);
	for (size_t i = 0; i < s->edges.count && out->edges.count < PICTURE_EDGES; i++) {
		const struct spread_edge *e = &s->edges.at[i];
		if (e->from < out->nodes.count && e->to < out->nodes.count)
			vec_push(&out->edges, ((struct picture_edge){ e->from, e->to, e->by == BY_MEMORY, e->crosses, e->after, e->times }));
	}
}

/* ---- of a campaign ---- */

int pictures_choose(struct db *db, fault_ids *out, struct err *why)
{
	struct db_query *q;
	int got = db_ask(db, &q, "select id from experiment where outcome = ? order by threads desc, id limit 1", why);
	for (int o = BECAME_LATENT; o < BECAME_COUNT && got == 0; o++) {
		db_give_text(q, 1, became_words[o]);
		while ((got = db_next(q, why)) > 0)
			vec_push(out, (uint64_t)db_number(q, 0));
	}
	db_done(q);
	return got;
}

static int is_there(struct db *db, uint64_t id, struct err *why)
{
	struct db_query *q;
	if (db_ask(db, &q, "select 1 from picture where id = ?", why) < 0)
		return -1;
	db_give_number(q, 1, (int64_t)id);
	int got = db_next(q, why);
	db_done(q);
	return got;
}

static int keep(struct db *db, uint64_t id, const struct picture *p, struct err *why)
{
	char *text = NULL;
	size_t bytes = 0;
	FILE *memory = open_memstream(&text, &bytes);
	struct db_query *q;
	struct json j;
	check(memory);
	json_init(&j, memory);
	picture_json(p, &j);
	check(fclose(memory) == 0);
	int got = db_ask(db, &q, "insert or replace into picture values (?, ?)", why);
	if (got == 0) {
		db_give_number(q, 1, (int64_t)id);
		db_give_text(q, 2, text);
		got = db_next(q, why);
		db_done(q);
	}
	free(text);
	return got;
}

static int follow(struct campaign *k, uint64_t id, const char *path, struct err *why)
{
	struct trace *t;
	struct canon canon;
	struct diff d;
	struct spread s;
	struct picture p;
	if (trace_open(&t, path, &(struct trace_options){ .salvage = true }, why) < 0)
		return -1;
	int got = canon_make(&canon, t, &k->golden.book, &k->golden.canon, why);
	if (got == 0) {
		diff_make(&d, &k->golden.canon, &canon);
		spread_make(&s, &d);
		spread_picture(&s, &p);
		got = keep(k->db, id, &p, why);
		picture_release(&p);
		spread_release(&s);
		diff_release(&d);
	}
	canon_release(&canon);
	trace_close(t);
	return got;
}

int picture_make(struct campaign *k, uint64_t id, struct err *why)
{
	struct experiment e;
	struct result r;
	char before[24], path[4200];
	int there = is_there(k->db, id, why);
	if (there)
		return there < 0 ? -1 : 0;
	int got = campaign_find(k->db, id, &e, before, why);
	if (got == 0) {
		err_set(why, "there is no fault %" PRIu64 ", there are %" PRIu64, id, k->total);
		why->code = 2;
		return -1;
	}
	snprintf(path, sizeof path, "%s/picture.trace", k->golden.work);
	if (got < 0 || campaign_repeat(k, &e, path, &r, why) < 0)
		return -1;
	got = follow(k, id, path, why);
	unlink(path);
	return got;
}

int pictures_rows(struct db *db, struct db_query **out, struct err *why)
{
	return db_ask(db, out, "select id, spread from picture order by id", why);
}
