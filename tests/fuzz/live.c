/* tests/fuzz/live.c -- any bytes as the raw records of a steered run, in several lanes, through the race detector with room for little. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "drive/races.h"
#include "trace/live.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *path_in(void *live, uint32_t thread)
{
	struct trace *t = live_trace(live);
	return thread < trace_thread_count(t) ? trace_thread(t, (struct thread_id){ thread })->path : NULL;
}

static const struct place *function_in(void *live, uint64_t descriptor)
{
	return trace_function(live_trace(live), descriptor);
}

static const struct place *call_in(void *live, uint64_t returns)
{
	return trace_call_place(live_trace(live), returns);
}

static void note_all(struct live *l, struct races *r, uint64_t below)
{
	struct event ev;
	for (int i = 0; i < 20000 && live_next(l, below, &ev); i++) {
		if (!ev.place || (ev.byte_count && !ev.bytes))
			abort();
		races_note(r, &ev);
	}
}

/* Each stretch: one byte that says which lane, one how many 16 bytes, then records; control records for the most part. */
static void run(struct live *l, struct races *r, const uint8_t *data, size_t size)
{
	uint8_t piece[4096];
	while (size > 2) {
		struct segment_head head = { .thread = data[0] % 5 + 1u, .nest = data[0] / 5 % 3, .path = "T_0" };
		size_t count = (size_t)data[1] * 16 < size - 2 ? (size_t)data[1] * 16 : size - 2;
		memcpy(piece, data + 2, count);
		for (size_t at = 0; at + 40 <= count && data[0] & 128; at += 40)
			piece[at + 7] |= 128;
		live_records(l, &head, piece, count, data[0] & 64 ? UINT64_MAX : data[1] * 1000u);
		note_all(l, r, live_highest(l));
		data += 2 + count;
		size -= 2 + count;
	}
	note_all(l, r, UINT64_MAX);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct race_limits few = { .accesses = 64, .chunks = 8, .a_word = 3, .edges = 4096, .pairs = 4 };
	struct live *l = live_new();
	struct races *r = races_new(&few, &(struct race_names){ l, NULL, path_in, function_in, call_in, NULL });
	for (int twice = 0; twice < 2; twice++) {
		struct race_list found;
		char line[256];
		live_begin(l);
		races_begin(r);
		run(l, r, data, size);
		races_take(r, &found);
		for (size_t i = 0; i < found.all.count; i++)
			race_line(&found, &found.all.at[i], line, sizeof line);
		race_list_release(&found);
	}
	races_free(r);
	live_free(l);
	return 0;
}
