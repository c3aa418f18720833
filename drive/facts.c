/* drive/facts.c -- see facts.h. */
#include "drive/facts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "drive/schedule.h"
#include "wire/tls.h"
#include "wire/version.h"

/* A field of the ring as text: its zero may be missing. */
static void print_field(struct buffer *text, const char *key, const char *field, size_t room)
{
	char copy[sizeof ((struct process_entry *)0)->exe];
	size_t bytes = room < sizeof copy ? room : sizeof copy;
	memcpy(copy, field, bytes);
	copy[bytes - 1] = 0;
	buffer_print(text, "%s ", key);
	buffer_quote(text, copy);
	buffer_print(text, "\n");
}

static void print_address(const struct writer *w, struct buffer *text, const char *key, uint64_t address)
{
	buffer_print(text, "%s 0x%" PRIx64 "\n", key, w ? writer_address(w, address) : address);
}

void facts_process(struct buffer *text, const struct process_entry *shared, const struct writer *w, pid_t pid, char *const *argv, uint32_t level, bool total)
{
	buffer_print(text, "raddle %s\n", RADDLE_VERSION);
	print_field(text, "exe", shared->exe, sizeof shared->exe);
	if (!total) {
		char *cwd = getcwd(NULL, 0);
		buffer_print(text, "pid %d\nparent %d\ncwd ", (int)pid, (int)shared->parent_pid);
		buffer_quote(text, cwd ? cwd : "");
		buffer_print(text, "\n");
		free(cwd);
	}
	print_address(w, text, "stack_at", shared->stack_at);
	print_address(w, text, "strings_at", shared->strings_at);
	print_address(w, text, "main_to", main_below(shared->stack_at) - 1);
	if (shared->forked)
		buffer_print(text, "forked 1\n");
	for (int i = 0; argv[i]; i++) {
		buffer_print(text, "argv%d ", i);
		buffer_quote(text, argv[i]);
		buffer_print(text, "\n");
	}
	buffer_print(text, "level %s\n", level == MODE_SYNC ? "sync" : "access");
}

void facts_settings(struct buffer *text, uint32_t model, uint32_t heap)
{
	if (model != MODEL_SC)
		buffer_print(text, "model %s\n", model_words[model]);
	if (heap != HEAP_UNIQUE)
		buffer_print(text, "heap %s\n", heap_words[heap]);
}

void facts_thread_begun(struct buffer *text, const struct segment_head *head)
{
	buffer_print(text, "uid %u\nparent %u\n", head->thread, head->parent);
	print_field(text, "path", head->path, sizeof head->path);
	buffer_print(text, "state alive\n");
}

void facts_thread(struct buffer *text, const struct thread_area *a, const struct writer *w, bool total)
{
	bool alive = a->state == AREA_LIVE;
	buffer_print(text, "uid %u\nparent %u\nordinal %u\n", a->thread, a->parent, a->ordinal);
	print_field(text, "path", a->path, sizeof a->path);
	print_field(text, "name", a->name, sizeof a->name);
	if (!total)
		buffer_print(text, "tid %d\n", a->tid);
	buffer_print(text, "state %s\ndepth %u\nlost %" PRIu64 "\n", alive ? "alive" : "ended", a->depth, a->lost);
	if (alive && a->waits_kind) {
		buffer_print(text, "waits_kind %u\n", a->waits_kind);
		if (a->waits_until)
			buffer_print(text, "waits_until 1\n");
		print_address(w, text, "waits_for", a->waits_for);
		print_address(w, text, "waits_pc", a->waits_pc);
	}
	if (a->fault_known)
		print_address(w, text, "fault", a->fault_address);
	for (uint32_t i = 0; alive && i < a->held_count && i < AREA_HELD; i++)
		print_address(w, text, "held", a->held[i]);
	for (uint32_t i = 0; alive && i < a->depth && i < AREA_FRAMES; i++)
		print_address(w, text, "frame", a->frames[i].entered);
}

void facts_end(struct buffer *text, const struct facts_end *end, bool total)
{
	if (end->status >= 0 && WIFEXITED(end->status))
		buffer_print(text, "exit %d\n", WEXITSTATUS(end->status));
	if (end->status >= 0 && WIFSIGNALED(end->status))
		buffer_print(text, "signal %d\n", WTERMSIG(end->status));
	if (!total)
		buffer_print(text, "end_ticks %" PRIu64 "\nticks_per_second %" PRIu64 "\n", end->ticks, end->ticks_per_second);
	buffer_print(text, "events %" PRIu64 "\nlost %" PRIu64 "\nthreads %u\n", end->events, end->lost, end->threads);
	if (end->steered)
		buffer_print(text, "steered %s\n", end->steered);
	if (end->stopped)
		buffer_print(text, "stopped %s\n", end->stopped);
	if (end->turned)
		buffer_print(text, "turned the size limit was reached; the middle is missing\n");
}
