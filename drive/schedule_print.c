/* drive/schedule_print.c -- a schedule as text.  What is written here schedule_parse.c reads back to the same. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/str.h"
#include "drive/schedule.h"
#include "trace/reader.h"

static void quote(FILE *out, const char *text)
{
	putc('"', out);
	for (size_t n; *text; text += n ? n : 1) {
		n = str_shown(text);
		if (*text == '"' || *text == '\\')
			putc('\\', out);
		if (n)
			fwrite(text, 1, n, out);
		else
			fprintf(out, "\\x%02x", (unsigned char)*text);
	}
	putc('"', out);
}

/* As it is when that is one word and could be nothing else. */
static void word(FILE *out, const char *text)
{
	bool plain = *text != 0;
	for (const char *at = text; *at && plain; at += str_shown(at))
		plain = str_shown(at) && *at != ' ' && *at != '"' && *at != '\\' && *at != '#';
	if (plain)
		fputs(text, out);
	else
		quote(out, text);
}

static void print_place(const struct schedule *s, const struct schedule_place *p, uint32_t here, FILE *out)
{
	if (*p->file) {
		putc(' ', out);
		word(out, p->file);
		fprintf(out, ":%" PRIu32, p->line);
	}
	if (*p->function) {
		fputs(" in ", out);
		word(out, p->function);
	}
	if (here)
		fprintf(out, " here %" PRIu32, here);
	if (p->module != NO_PART) {
		fputs("  ", out);
		word(out, s->modules.at[p->module].name);
		fprintf(out, "+0x%" PRIx64, p->offset);
	}
}

void schedule_print_step(const struct schedule *s, const struct schedule_step *step, FILE *out)
{
	static const char *const answers[] = { "go", "timeout", "spurious" };
	const char *kind = step->kind ? event_word(step->kind) : NULL;
	fprintf(out, "%s ", s->threads.at[step->thread].path);
	if (step->what == STEP_ANSWER)
		fprintf(out, "answer %" PRIu64 " %s", step->nth, answers[step->answer]);
	else if (step->what == STEP_CHOICE)
		fprintf(out, "choice %" PRIu64 " %" PRIu32, step->nth, step->answer);
	else if (step->what == STEP_FLUSH)
		fprintf(out, "flush %" PRIu64 " %" PRIu32, step->nth, step->answer);
	else
		fprintf(out, "%" PRIu64, step->nth);
	if (kind) {
		fprintf(out, " %s", kind);
		print_place(s, &step->place, step->here, out);
	}
}

static void print_waits(const struct schedule *s, FILE *out)
{
	for (size_t i = 0; i < s->waits.count; i++) {
		const struct schedule_wait *w = &s->waits.at[i];
		fprintf(out, "expect waits %s %s ", s->threads.at[w->thread].path, event_word(w->kind));
		quote(out, w->object);
		if (w->holder != NO_PART)
			fprintf(out, " held %s", s->threads.at[w->holder].path);
		putc('\n', out);
	}
}

static void print_expect(const struct schedule *s, FILE *out)
{
	if (s->outcome != OUTCOME_NONE) {
		fprintf(out, "expect %s", outcome_words[s->outcome]);
		if (s->outcome == OUTCOME_EXIT || s->outcome == OUTCOME_SIGNAL)
			fprintf(out, " %" PRId32, s->value);
		if (*s->text) {
			putc(' ', out);
			quote(out, s->text);
		}
		putc('\n', out);
	}
	print_waits(s, out);
	if (s->events)
		fprintf(out, "expect events %" PRIu64 "\n", s->events);
}

static void print_head(const struct schedule *s, FILE *out)
{
	char policy[SCHEDULE_POLICY_ROOM];
	fprintf(out, "raddle schedule %u\n", SCHEDULE_VERSION);
	if (*s->program) {
		fputs("program ", out);
		quote(out, s->program);
		putc('\n', out);
	}
	if (*s->build_id)
		fprintf(out, "build %s\n", s->build_id);
	for (size_t i = 0; i < s->arguments.count; i++) {
		fputs("argument ", out);
		quote(out, s->arguments.at[i]);
		putc('\n', out);
	}
	for (size_t i = 0; i < s->environment.count; i++) {
		fputs("environment ", out);
		quote(out, s->environment.at[i].name);
		putc(' ', out);
		quote(out, s->environment.at[i].value);
		if (s->environment.at[i].strings)
			fprintf(out, " behind %" PRIu64 " %" PRIu64, s->environment.at[i].strings, s->environment.at[i].bytes);
		putc('\n', out);
	}
	if (s->whole_environment)
		fprintf(out, "environment-rest %" PRIu64 " %" PRIu64 "\n", s->other_strings, s->other_bytes);
	fprintf(out, "policy %s\nswitch %s\nheap %s\ntime %s\naddresses %s\n", policy_print(policy, s->policy, s->seed, s->depth),
		switch_words[s->switching], heap_words[s->heap], time_words[s->time], s->fixed_addresses ? "fixed" : "random");
	if (s->model != MODEL_SC)
		fprintf(out, "model %s\n", model_words[s->model]);
	if (*s->input) {
		fputs("input ", out);
		quote(out, s->input);
		fprintf(out, " 0x%016" PRIx64 "\n", s->input_hash);
	}
	if (s->max_steps)
		fprintf(out, "max-steps %" PRIu64 "\n", s->max_steps);
	if (s->bound)
		fprintf(out, "threads-bound %" PRIu64 "\n", s->bound);
	for (size_t i = 0; i < s->modules.count; i++) {
		fprintf(out, "module %" PRIu32 " ", s->modules.at[i].index);
		quote(out, s->modules.at[i].name);
		putc('\n', out);
	}
	fprintf(out, "threads %zu\n", s->threads.count);
	for (size_t i = 0; i < s->threads.count; i++) {
		fprintf(out, "thread %s", s->threads.at[i].path);
		if (*s->threads.at[i].name) {
			putc(' ', out);
			quote(out, s->threads.at[i].name);
		}
		putc('\n', out);
	}
	print_expect(s, out);
	if (s->stop_nth)
		fprintf(out, "stop %s %" PRIu64, s->threads.at[s->stop_thread].path, s->stop_nth);
	if (s->stop_nth && s->stop_output)
		fprintf(out, " output %" PRIu64, s->stop_output);
	if (s->stop_nth)
		putc('\n', out);
}

void schedule_print(const struct schedule *s, FILE *out)
{
	print_head(s, out);
	for (size_t i = 0; i < s->steps.count; i++) {
		schedule_print_step(s, &s->steps.at[i], out);
		putc('\n', out);
	}
	fputs("end\n", out);
}

int schedule_write(const struct schedule *s, const char *path, struct err *why)
{
	/* It names arguments and places of a program: for its owner's eyes. */
	int fd = file_create(path, FILE_OURS, why);
	FILE *out = fd < 0 ? NULL : fdopen(fd, "w");
	if (!out) {
		why->code = 125;
		return -1;
	}
	schedule_print(s, out);
	bool bad = ferror(out) != 0;
	if (fclose(out) == 0 && !bad)
		return 0;
	err_set(why, "cannot write '%s': %s", path, str_error(errno ? errno : EIO));
	why->code = 125;
	return -1;
}
