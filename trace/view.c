/* trace/view.c -- what one record of a site stands for: a row of events with everything filled in that is the same each
 * time.  Made when a site is first met in a lane, kept with the site. */
#include <string.h>

#include "trace/inside.h"

/* All places of a unit, made at once: entry i may hang on earlier ones only. */
static struct place **places_of(struct trace *t, struct sites *s, const struct unit *u)
{
	bool fresh;
	uint64_t *kept = map_put(&t->unit_places, (uint64_t)u, &fresh);
	if (!fresh)
		return (struct place **)*kept;
	sites_index(s, u);
	uint32_t count = unit_place_count(u);
	struct place **all = arena_take(&t->arena, (count + 1u) * sizeof *all);
	struct place *rows = arena_take(&t->arena, (count + 1u) * sizeof *rows);
	const struct trace_module *module = module_at(t, unit_address(u));
	for (uint32_t i = 0; i < count; i++) {
		struct unit_place from;
		check(unit_place(u, i, &from));
		rows[i] = (struct place){ .file = from.file, .function = from.function, .linkage = "", .unit = unit_name(u),
			.module = module ? module->path : "", .line = from.line, .column = from.column, .ordinal = UINT32_MAX,
			.inlined_at = from.inlined_at ? all[from.inlined_at - 1] : NULL };
		all[i] = &rows[i];
	}
	*map_put(&t->unit_places, (uint64_t)u, NULL) = (uint64_t)all;
	return all;
}

/* A place of its own for each site: same source place, other ordinal, other identity. */
static const struct place *place_of(struct trace *t, struct sites *s, const struct site *site, uint32_t index, uint32_t ordinal)
{
	struct place **all = places_of(t, s, site->unit);
	struct place *p = arena_take(&t->arena, sizeof *p);
	struct unit_function function = { "", "", "", 0 };
	bool named = unit_function(site->unit, site->function, &function);
	*p = index < unit_place_count(site->unit) ? *all[index] : place_unknown;
	p->unit = unit_name(site->unit);
	p->linkage = function.linkage;
	p->ordinal = ordinal;
	if (!*p->function)
		p->function = function.display;
	if (!*p->file && p->line == 0)
		p->file = function.file, p->line = function.line;
	if (named && ordinal != UINT32_MAX)
		p->site = site_identity(p->unit, p->linkage, ordinal);
	if (!*p->module) {
		const struct trace_module *module = module_at(t, site->address);
		p->module = module ? module->path : "";
	}
	return p;
}

static const struct place *mark_place(struct trace *t, struct sites *s, const struct site *site, const struct site_mark *mark)
{
	return place_of(t, s, site, mark->place, mark->ordinal);
}

static void add(struct view *v, enum event_kind kind, const struct place *place, const char *name, enum view_what what)
{
	struct view_event *e = &v->events[v->count++];
	e->event.kind = (uint8_t)kind;
	e->event.place = place;
	e->event.name = name;
	e->what = (uint8_t)what;
}

static void add_access(struct trace *t, struct sites *s, struct view *v, const struct site *site, unsigned i)
{
	const struct access *a = &site->accesses[i];
	const struct place *place = place_of(t, s, site, a->place, a->ordinal);
	v->first[i] = v->count;
	for (unsigned k = 0; k < a->elements; k++) {
		struct view_event *e = &v->events[v->count];
		add(v, a->is_result ? (a->is_write ? EV_ARGUMENT : EV_RESULT) : a->is_write ? EV_WRITE : EV_READ, place, unit_string(site->unit, a->name), VIEW_ACCESS);
		e->event.size = a->size;
		e->event.is_volatile = a->is_volatile;
		e->event.has_value = a->value_mode != V_NONE && !(t->flags & TRACE_NO_VALUES && a->value_mode != V_CONST);
		e->access = (uint16_t)i;
		e->element = (uint16_t)k;
	}
}

/* Function entry and exit have no place in the table: the line of the function itself. */
static const struct place *function_place(struct trace *t, struct sites *s, const struct site *site)
{
	struct place *p = (struct place *)place_of(t, s, site, UINT32_MAX, UINT32_MAX);
	struct unit_function function;
	if (unit_function(site->unit, site->function, &function))
		p->function = function.display;
	return p;
}

const struct view *view_of(struct trace *t, struct sites *s, struct site *site)
{
	if (site->view)
		return site->view;
	struct view *v = arena_take(&t->arena, sizeof *v + (size_t)site->event_count * sizeof *v->events);
	v->first = arena_take(&t->arena, (site->access_count + 1u) * sizeof *v->first);
	const struct place *function = site->flags & (SITE_ENTER | SITE_LEAVE | SITE_LANDED) ? function_place(t, s, site) : NULL;
	if (site->flags & SITE_ENTER)
		add(v, EV_ENTER, function, NULL, VIEW_MARK);
	if (site->flags & SITE_LANDED)
		add(v, EV_LANDED, function, NULL, VIEW_LANDED);
	for (unsigned i = 0; i < site->access_count; i++)
		add_access(t, s, v, site, i);
	if (site->flags & SITE_CALL) {
		add(v, EV_CALL, mark_place(t, s, site, &site->call), unit_string(site->unit, site->call.name), VIEW_CALL);
		v->events[v->count - 1].event.arg = site->hands_over;
	}
	if (site->flags & SITE_BRANCH)
		add(v, EV_BRANCH, mark_place(t, s, site, &site->branch), NULL, VIEW_BRANCH);
	if (site->flags & SITE_LEAVE)
		add(v, EV_LEAVE, function, NULL, VIEW_MARK);
	check(v->count == site->event_count);
	return site->view = v;
}

const struct place *trace_function(struct trace *t, uint64_t descriptor)
{
	for (size_t i = t->sites.count; i-- > 0;) {
		struct site *site = sites_find(t->sites.at[i], descriptor & RECORD_ADDRESS_MASK);
		if (site && site->flags & SITE_ENTER)
			return view_of(t, t->sites.at[i], site)->events[0].event.place;
	}
	return NULL;
}

const struct event *view_other(struct trace *t, struct sites *s, struct site *site)
{
	if (!(site->flags & (SITE_ATOMIC | SITE_LIBRARY))) {    /* a hook called from a group: its call, or the group's function */
		const struct view *v = view_of(t, s, site);
		return v->count ? &v->events[v->count - 1].event : NULL;
	}
	if (site->view)
		return &((struct view *)site->view)->events[0].event;
	struct view *v = arena_take(&t->arena, sizeof *v + sizeof *v->events);
	add(v, EV_RMW, mark_place(t, s, site, &site->other), unit_string(site->unit, site->other.name), VIEW_MARK);
	struct event *e = &v->events[0].event;
	if (site->flags & SITE_ATOMIC) {
		e->size = site->size;
		e->order = site->order;
		e->order2 = site->failure_order;
		e->op = site->op;
	}
	site->view = v;
	return e;
}
