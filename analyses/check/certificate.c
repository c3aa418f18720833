/* analyses/check/certificate.c -- see certificate.h.
 * The trees are written as they were learned.  Classes are those of one search more, which executes nothing: what runs were made for, in which
 * process and in which order, is in no certificate. */
#include "analyses/check/certificate.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/str.h"
#include "drive/program.h"

static const char *const deed_words[] = {
	[DEED_UNKNOWN] = "unknown", [DEED_BACK] = "back", [DEED_READ] = "read", [DEED_WRITE] = "write", [DEED_UPDATE] = "update", [DEED_FENCE] = "fence",
	[DEED_LOCK] = "lock", [DEED_UNLOCK] = "unlock", [DEED_WAIT] = "wait", [DEED_WAKE] = "wake", [DEED_SIGNAL] = "signal", [DEED_BROADCAST] = "broadcast",
	[DEED_DOWN] = "down", [DEED_UP] = "up", [DEED_ARRIVE] = "arrive", [DEED_LEAVE] = "leave", [DEED_ONCE] = "once", [DEED_ONCE_DONE] = "once-done",
	[DEED_INIT] = "init", [DEED_CHOOSE] = "choose", [DEED_REFUSED] = "refused", [DEED_ALLOC] = "alloc", [DEED_FREE] = "free", [DEED_CREATE] = "create",
	[DEED_JOIN] = "join", [DEED_RESULT] = "result", [DEED_END] = "end", [DEED_EXIT] = "exit"
};

static void print_text(FILE *out, const char *word, const char *text)
{
	struct buffer quoted = { 0 };
	buffer_quote(&quoted, text);
	fprintf(out, "%s %.*s\n", word, (int)quoted.count, quoted.at ? (const char *)quoted.at : "");
	buffer_release(&quoted);
}

static void print_surroundings(FILE *out, const struct surroundings *s)
{
	struct buffer lines = { 0 };
	size_t count = 0;
	surroundings_print(s, false, &lines);
	for (size_t i = 0; i < lines.count; i++)
		count += lines.at[i] == '\n';
	fprintf(out, "surroundings %zu\n", count);
	for (char *at = (char *)lines.at, *next; at && *at; at = next) {
		char *end = strchr(at, '\n');
		*end = 0;
		next = end + 1;
		print_text(out, "around", at);
	}
	buffer_release(&lines);
}

static int print_about(FILE *out, const struct work *w, struct err *why)
{
	static const char *const models[] = { "sc", "tso", "pso" };
	char path[4096], hash[PROGRAM_HASH];
	if (program_find(w->o->argv[0], path, sizeof path, why) < 0 || program_hash(path, hash, why) < 0)
		return -1;
	fprintf(out, "raddle certificate 2\nprogram %s\n", hash);
	for (size_t i = 0; w->o->argv[i]; i++)
		print_text(out, "argument", w->o->argv[i]);
	fprintf(out, "model %s\nheap %s\n", models[w->o->model], w->o->reuse ? "reuse" : "unique");
	if (w->o->trusted)
		print_text(out, "trust", w->o->trusted);
	print_surroundings(out, &w->threads.around);
	fprintf(out, "verdict %s\nraces %zu\n", w->out->verdict == CHECK_SAFE ? "safe" : "bug", w->out->races.count);
	return 0;
}

static void print_flags(FILE *out, const struct node *n)
{
	char flags[10] = "", *at = flags;
	const struct { bool has; char letter; } all[] = { { n->plain, 'p' }, { n->waits, 'w' }, { n->release, 'r' }, { n->recursive, 'R' }, { n->reading, 'S' },
		{ n->tried, 't' }, { n->timed, 'T' }, { n->failed, 'f' } };
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (all[i].has)
			*at++ = all[i].letter;
	*at = 0;
	fprintf(out, " %s\n", *flags ? flags : "-");
}

static void print_number(FILE *out, uint32_t number)
{
	if (number == NO_NODE)
		fputs(" -", out);
	else
		fprintf(out, " %u", number);
}

/* What it does, and how it was come here. */
static void print_node(FILE *out, const struct node *n)
{
	bool ends = n->deed == DEED_BACK;
	fprintf(out, "node %u", n->thread);
	print_number(out, n->parent);
	fprintf(out, " %llx %llx %u %s %u %llx %llx %llx", (unsigned long long)n->told, (unsigned long long)n->written, n->points, deed_words[n->deed], n->size,
		(unsigned long long)n->object, (unsigned long long)n->second, (unsigned long long)n->value);
	fprintf(out, " %u", ends ? n->first : n->other);
	print_flags(out, n);
}

/* What threads share, and what it was at first; "--" if nobody read that. */
static void print_memory(FILE *out, const struct threads *t)
{
	for (size_t i = 0; i < t->cell_at.count; i++) {
		const uint64_t *first = map_get(&t->initial, t->cell_at.at[i]);
		if (!i || t->cell_at.at[i] != t->cell_at.at[i - 1] + 1)
			fprintf(out, "%smemory %llx ", i ? "\n" : "", (unsigned long long)t->cell_at.at[i]);
		if (first)
			fprintf(out, "%02x", (unsigned)(*first - 1));
		else
			fputs("--", out);
	}
	fputs(t->cell_at.count ? "\n" : "", out);
}

static void print_threads(FILE *out, const struct threads *t)
{
	for (uint32_t i = 0; i < t->paths.count; i++)
		fprintf(out, "thread %s\n", names_text(&t->paths, i));
	print_memory(out, t);
	for (size_t i = 0; i < t->blocks.count; i++)
		fprintf(out, "block %llx %llx\n", (unsigned long long)t->blocks.at[i].at, (unsigned long long)t->blocks.at[i].bytes);
	for (size_t i = 0; i < t->nodes.count; i++)
		print_node(out, &t->nodes.at[i]);
}

static void print_steps(FILE *out, const struct schedule *s)
{
	static const char letters[] = { [STEP_RUN] = 'r', [STEP_ANSWER] = 'a', [STEP_CHOICE] = 'c', [STEP_FLUSH] = 'f' };
	for (size_t i = 0; i < s->steps.count; i++) {
		const struct schedule_step *x = &s->steps.at[i];
		fprintf(out, " %c%u:%llu", letters[x->what], x->thread, (unsigned long long)x->nth);
		if (x->what == STEP_ANSWER || x->what == STEP_CHOICE)
			fprintf(out, "=%u", x->answer);
	}
	fputc('\n', out);
}

/* The class at which the search stands: where threads ended, and a schedule that leads there. */
static void print_class(FILE *out, struct work *w, const struct explore_found *f)
{
	uint32_t ends[MAX_THREADS];
	struct schedule schedule;
	explore_ends(w->search, ends);
	fprintf(out, "class %s", f->spins ? "spins" : "ends");
	for (uint32_t i = 0; i < explore_space(w->search)->thread_count; i++)
		print_number(out, ends[i]);
	fputs(" by", out);
	work_schedule(w, NULL, 0, &schedule);
	print_steps(out, &schedule);
	schedule_release(&schedule);
}

/* A thread comes back in a loop where the search stands: a schedule that leads there, and a point further. */
static void print_loop(FILE *out, struct work *w, uint32_t back)
{
	struct further further = { .node = w->threads.nodes.at[back].first };
	struct schedule schedule;
	fprintf(out, "loop %u by", back);
	work_schedule(w, &further, 1, &schedule);
	print_steps(out, &schedule);
	schedule_release(&schedule);
}

/* How many there were; 0: the search is not at its end. */
static uint64_t print_classes(FILE *out, struct work *w)
{
	struct explore_found f;
	struct classes known = { 0 };
	enum explore_answer answer;
	uint64_t count = 0;
	explore_ask_backs(w->search);
	while ((answer = explore_go(w->search, &f)) != EXPLORE_DONE && answer != EXPLORE_FULL && answer != EXPLORE_UNKNOWN) {
		if (answer == EXPLORE_BACK)
			print_loop(out, w, f.back);
		if (answer != EXPLORE_CLASS)
			continue;
		uint64_t before = known.found;
		classes_find(&known, f.class, f.spins);
		if (known.found == before)
			continue;
		print_class(out, w, &f);
		count++;
	}
	classes_release(&known);
	return answer == EXPLORE_DONE ? count : 0;
}

static int print_all(FILE *out, struct work *w, struct err *why)
{
	if (print_about(out, w, why) < 0)
		return -1;
	explore_free(w->search);
	w->search = explore_new(&w->threads);
	print_threads(out, &w->threads);
	uint64_t classes = print_classes(out, w);
	fprintf(out, "end %llu classes\n", (unsigned long long)classes);
	if (classes == w->classes.found)
		return 0;
	err_set(why, "the search for the certificate did not find the classes again");
	why->code = 125;
	return -1;
}

int certificate_write(struct work *w, struct err *why)
{
	char path[4096];
	int fd = file_create_beside(w->o->certificate, FILE_OURS, path, sizeof path, why);
	FILE *out = fd < 0 ? NULL : fdopen(fd, "w");
	if (!out) {
		why->code = 2;
		return -1;
	}
	int got = print_all(out, w, why);
	bool written = !ferror(out);
	written = fclose(out) == 0 && written;
	if (got == 0 && (!written || rename(path, w->o->certificate) < 0)) {
		got = err_set(why, "cannot write '%s': %s", w->o->certificate, str_error(errno));
		why->code = 125;
	}
	if (got < 0)
		unlink(path);
	return got;
}
