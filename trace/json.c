/* trace/json.c -- see json.h.  64-bit values and addresses are texts ("0x..."): not every reader keeps their bits. */
#include "trace/json.h"

#include <stdio.h>

#include "base/vec.h"
#include "trace/text_words.h"

void place_json(struct json *j, const char *key, const struct place *at)
{
	if (!*at->file && !*at->function && !at->line)
		return;
	json_key(j, key);
	json_object(j);
	json_put_text(j, "file", at->file);
	json_put_number(j, "line", at->line);
	if (at->column)
		json_put_number(j, "column", at->column);
	if (*at->function)
		json_put_text(j, "function", at->function);
	if (at->site)
		json_put_hex(j, "site", at->site);
	json_end(j, '}');
}

static void put_object(struct json *j, struct trace *t, const struct objects *o, const struct event *ev)
{
	char name[256];
	enum object_form form = object_form(ev->kind);
	if (form == FORM_THREAD && ev->object < trace_thread_count(t)) {
		json_put_text(j, "other", trace_thread(t, (struct thread_id){ (uint32_t)ev->object })->path);
	} else if (form == FORM_NUMBER) {
		json_put_number(j, "number", ev->object);
	} else if (form == FORM_MEMORY || ev->object) {
		json_put_hex(j, "object", ev->object);
		json_put_text(j, "what", objects_name(o, ev->object, name, sizeof name));
	}
}

static void put_bytes(struct json *j, const struct event *ev)
{
	char *hex = mem_take(ev->byte_count * 2ul + 1);
	for (uint32_t i = 0; i < ev->byte_count; i++)
		sprintf(hex + i * 2ul, "%02x", ev->bytes[i]);
	json_put_text(j, "bytes", hex);
	mem_free(hex);
}

static void put_arg(struct json *j, struct trace *t, const struct objects *o, const struct event *ev)
{
	char name[256];
	switch (arg_form(ev->kind)) {
	case ARG_VALUE:
		if (ev->has_value || kind_is_atomic(ev->kind))
			json_put_hex(j, "value", ev->arg);
		if (ev->arg_high)
			json_put_hex(j, "value_high", ev->arg_high);
		break;
	case ARG_LOCK:
		if (ev->arg >> 8 && ev->arg >> 8 <= LOCK_USER)
			json_put_text(j, "type", lock_words[ev->arg >> 8]);
		if (ev->arg & LOCK_FOR_READING)
			json_put_text(j, "mode", "read");
		break;
	case ARG_KIND:
		json_put_text(j, "for", ev->arg < EV_COUNT ? event_word((enum event_kind)ev->arg) : NULL);
		break;
	case ARG_OBJECT:
		json_put_hex(j, "lock", ev->arg);
		json_put_text(j, "lock_name", objects_name(o, ev->arg, name, sizeof name));
		break;
	case ARG_THREAD:
		if (ev->arg < trace_thread_count(t))
			json_put_text(j, "of", trace_thread(t, (struct thread_id){ (uint32_t)ev->arg })->path);
		break;
	case ARG_PLAIN:
		if (ev->arg && arg_key(ev->kind)[0] != 'a')
			json_put_number(j, arg_key(ev->kind), ev->arg);
		else if (ev->arg)
			json_put_hex(j, "arg", ev->arg);
	}
}

static void put_atomic(struct json *j, const struct event *ev)
{
	if ((ev->kind == EV_RMW || ev->kind == EV_CAS) && !ev->failed)
		json_put_hex(j, "new", ev->written);
	if (ev->written_high)
		json_put_hex(j, "new_high", ev->written_high);
	if (!kind_is_atomic(ev->kind))
		return;
	if (ev->op <= AOP_UDEC_WRAP)
		json_put_text(j, "op", op_words[ev->op]);
	if (ev->order <= ORDER_SEQ_CST)
		json_put_text(j, "order", order_words[ev->order]);
}

static void put_rest(struct json *j, const struct event *ev)
{
	if (ev->version)
		json_put_number(j, "version", ev->version);
	if (ev->time)
		json_put_number(j, "time", ev->time);
	if (ev->result) {
		json_key(j, "result");
		json_signed(j, ev->result);
	}
	if (ev->nest)
		json_put_number(j, "nest", ev->nest);
	if (ev->is_volatile)
		json_put_bool(j, "volatile", true);
	if (ev->failed)
		json_put_bool(j, "failed", true);
	if (ev->cut)
		json_put_bool(j, "cut", true);
	if (ev->in_flight)
		json_put_bool(j, "in_flight", true);
	if (ev->waits)
		json_put_bool(j, "waits", true);
	if (ev->bytes)
		put_bytes(j, ev);
}

void event_json(struct json *j, struct trace *t, const struct objects *o, const struct event *ev, uint64_t n)
{
	json_object(j);
	json_put_number(j, "event", n);
	json_put_text(j, "thread", trace_thread(t, ev->thread)->path);
	json_put_number(j, "index", ev->index);
	json_put_text(j, "kind", event_word(ev->kind));
	put_object(j, t, o, ev);
	if (ev->size)
		json_put_number(j, "size", ev->size);
	put_arg(j, t, o, ev);
	put_atomic(j, ev);
	if (ev->name)
		json_put_text(j, "name", trace_shown(t, ev->name));
	place_json(j, "at", ev->place);
	put_rest(j, ev);
	json_end(j, '}');
	json_line(j);
}
