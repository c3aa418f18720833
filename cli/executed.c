/* cli/executed.c -- see executed.h.  The tables are those of the program's file, which must be the one that ran. */
#include "cli/executed.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analyses/epa/places.h"
#include "base/file.h"
#include "base/json.h"
#include "base/str.h"
#include "cli/say.h"

bool executed_is_trace(const char *path)
{
	char magic[8] = "";
	struct err ignored;
	FILE *file = file_stream(path, &ignored);
	bool is = file && fread(magic, 1, sizeof magic, file) == sizeof magic && !memcmp(magic, TRACE_MAGIC, sizeof magic);
	if (file)
		fclose(file);
	return is;
}

static int open_program(struct fault_places *p, const struct trace *t, struct err *why)
{
	for (uint32_t i = 0; i < trace_module_count(t); i++) {
		const struct trace_module *m = trace_module(t, i);
		if (!m->instrumented)
			continue;
		if (places_open(p, m->path, why) < 0)
			return -1;
		if (!strcmp(p->build_id, m->build_id))
			return 0;
		places_close(p);
		err_set(why, "'%.200s' is another build now than the one '%.200s' was recorded of", m->path, trace_path(t));
		return err_hint(why, "record it again");
	}
	return err_set(why, "'%.200s' names no program built with raddle", trace_path(t));
}

static void say_place(const char *thread, uint64_t times, const struct fault_place *s)
{
	char name[1024], n[STR_NUMBER];
	if (thread)
		printf("%s  %s time%s  ", thread, str_grouped(n, times), times == 1 ? "" : "s");
	if (s->line)
		printf("%s:%" PRIu32 ": ", s->file, s->line);
	printf("%s%s%s in %s (%s)\n", place_word(s), *s->name ? " " : "", s->name, s->function, place_say(s, name, sizeof name));
}

static void json_place(struct json *j, const char *thread, uint64_t times, const struct fault_place *s)
{
	char name[1024];
	json_object(j);
	json_put_text(j, "type", "site");
	if (thread) {
		json_put_text(j, "thread", thread);
		json_put_number(j, "executed", times);
	}
	json_put_text(j, "kind", place_word(s));
	json_put_text(j, "file", s->file);
	json_put_number(j, "line", s->line);
	json_put_text(j, "function", s->function);
	json_put_text(j, "linkage", s->linkage);
	json_put_text(j, "place", place_say(s, name, sizeof name));
	json_put_text(j, "name", *s->name ? s->name : NULL);
	json_put_number(j, "size", s->size);
	json_end(j, '}');
	json_line(j);
}

static void end_list(struct json *j, bool json, uint64_t places, uint32_t threads)
{
	char n[STR_NUMBER];
	if (json) {
		json_summary(j, stdout);
		json_put_text(j, "command", "sites");
		json_put_number(j, "sites", places);
		json_summary_end(j);
	} else if (threads) {
		printf("%s sites of %" PRIu32 " threads\n", str_grouped(n, places), threads);
	} else {
		printf("%s sites\n", str_grouped(n, places));
	}
}

int executed_places(const char *program, bool json, struct err *why)
{
	struct fault_places p;
	struct json j;
	if (places_open(&p, program, why) < 0)
		return -1;
	json_init(&j, stdout);
	for (size_t k = 0; k < p.all.count; k++)
		if (json)
			json_place(&j, NULL, 0, &p.all.at[k]);
		else
			say_place(NULL, 0, &p.all.at[k]);
	end_list(&j, json, p.all.count, 0);
	places_close(&p);
	return say_flush(why);
}

static void list_all(struct trace *t, const struct fault_places *p, const struct place_counts *c, bool json)
{
	struct json j;
	uint64_t places = 0;
	json_init(&j, stdout);
	for (uint32_t i = 0; i < trace_thread_count(t); i++)
		for (size_t k = 0; k < p->all.count; k++) {
			uint64_t times = counts_of(c, i, &p->all.at[k]);
			const char *thread = trace_thread(t, (struct thread_id){ i })->path;
			if (times && json)
				json_place(&j, thread, times, &p->all.at[k]);
			else if (times)
				say_place(thread, times, &p->all.at[k]);
			places += times != 0;
		}
	end_list(&j, json, places, trace_thread_count(t));
}

int executed_list(const char *path, bool json, struct err *why)
{
	struct trace *t;
	struct fault_places places;
	struct place_counts counts;
	if (trace_open(&t, path, &(struct trace_options){ 0 }, why) < 0)
		return -1;
	int got = open_program(&places, t, why);
	if (got == 0) {
		got = counts_take(&counts, t, why);
		if (got == 0)
			list_all(t, &places, &counts, json);
		counts_release(&counts);
		places_close(&places);
		got = got ? got : say_flush(why);
	}
	trace_close(t);
	return got;
}
