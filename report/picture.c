/* report/picture.c -- see picture.h. */
#include "report/picture.h"

#include <string.h>

#include "base/json_read.h"

static char *copied(const char *text)
{
	size_t bytes = strlen(text) + 1;
	return memcpy(mem_take(bytes), text, bytes);
}

uint32_t picture_lane(struct picture *p, const char *thread)
{
	for (size_t i = 0; i < p->lanes.count; i++)
		if (!strcmp(p->lanes.at[i], thread))
			return (uint32_t)i;
	vec_push(&p->lanes, copied(thread));
	return (uint32_t)(p->lanes.count - 1);
}

void picture_release(struct picture *p)
{
	for (size_t i = 0; i < p->lanes.count; i++)
		mem_free(p->lanes.at[i]);
	for (size_t i = 0; i < p->nodes.count; i++) {
		mem_free(p->nodes.at[i].name);
		mem_free(p->nodes.at[i].where);
		mem_free(p->nodes.at[i].kind);
	}
	vec_release(&p->lanes);
	vec_release(&p->nodes);
	vec_release(&p->edges);
}

void picture_json(const struct picture *p, struct json *j)
{
	json_object(j);
	json_put_number(j, "all_nodes", p->all_nodes);
	json_put_number(j, "all_edges", p->all_edges);
	json_key(j, "nodes");
	json_array(j);
	for (size_t i = 0; i < p->nodes.count; i++) {
		const struct picture_node *n = &p->nodes.at[i];
		json_object(j);
		json_put_text(j, "thread", p->lanes.at[n->lane]);
		json_put_text(j, "name", n->name);
		json_put_text(j, "where", n->where);
		json_put_text(j, "kind", n->kind);
		json_put_number(j, "times", n->times);
		json_put_number(j, "converged", n->converged);
		json_put_bool(j, "origin", n->origin);
		json_end(j, '}');
	}
	json_end(j, ']');
	json_key(j, "edges");
	json_array(j);
	for (size_t i = 0; i < p->edges.count; i++) {
		const struct picture_edge *e = &p->edges.at[i];
		json_object(j);
		json_put_number(j, "from", e->from);
		json_put_number(j, "to", e->to);
		json_put_bool(j, "memory", e->memory);
		json_put_bool(j, "crosses", e->crosses);
		json_put_number(j, "after", e->after);
		json_put_number(j, "times", e->times);
		json_end(j, '}');
	}
	json_end(j, ']');
	json_end(j, '}');
}

/* ---- reading: whoever can write to a database can write anything there ---- */

static uint64_t number_in(const struct json_value *object, const char *key)
{
	const struct json_value *v = json_member(object, key);
	return v && v->type == JSON_NUMBER && v->number >= 0 && v->number < 1e18 ? (uint64_t)v->number : 0;
}

static bool true_in(const struct json_value *object, const char *key)
{
	const struct json_value *v = json_member(object, key);
	return v && v->type == JSON_TRUE;
}

static bool read_node(struct picture *p, const struct json_value *v)
{
	const char *thread = json_member_text(v, "thread"), *name = json_member_text(v, "name"), *where = json_member_text(v, "where"),
		*kind = json_member_text(v, "kind");
	if (!thread || !name || !where || !kind || p->nodes.count == PICTURE_NODES)
		return false;
	vec_push(&p->nodes, ((struct picture_node){ copied(name), copied(where), copied(kind), picture_lane(p, thread), number_in(v, "times"),
		number_in(v, "converged"), true_in(v, "origin") }));
	return true;
}

static bool read_edge(struct picture *p, const struct json_value *v)
{
	uint64_t from = number_in(v, "from"), to = number_in(v, "to");
	if (from >= p->nodes.count || to >= p->nodes.count || p->edges.count == PICTURE_EDGES)
		return false;
	vec_push(&p->edges, ((struct picture_edge){ (uint32_t)from, (uint32_t)to, true_in(v, "memory"), true_in(v, "crosses"), number_in(v, "after"),
		number_in(v, "times") }));
	return true;
}

static bool read_whole(struct picture *p, const struct json_value *v)
{
	const struct json_value *nodes = json_member(v, "nodes"), *edges = json_member(v, "edges");
	if (!nodes || nodes->type != JSON_ARRAY || !edges || edges->type != JSON_ARRAY)
		return false;
	p->all_nodes = number_in(v, "all_nodes");
	p->all_edges = number_in(v, "all_edges");
	bool good = true;
	for (const struct json_value *n = nodes->first; n && good; n = n->next)
		good = read_node(p, n);
	for (const struct json_value *e = edges->first; e && good; e = e->next)
		good = read_edge(p, e);
	return good;
}

int picture_read(struct picture *p, const char *text, size_t bytes)
{
	struct arena a = { 0 };
	size_t where;
	memset(p, 0, sizeof *p);
	const struct json_value *v = json_read(&a, text, bytes, &where);
	bool good = v && read_whole(p, v);
	arena_release(&a);
	if (!good)
		picture_release(p);
	return good ? 0 : -1;
}
