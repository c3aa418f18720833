/* trace/plain.c -- see plain.h.  Columns: thread (its number), word, object, other, size, result, order, flags, bytes read, bytes written. */
#include "trace/plain.h"

#include <inttypes.h>
#include <string.h>

#include "base/err.h"

#define BYTES_MOST 16u

enum { FLAG_FAILED = 1, FLAG_IN_FLIGHT = 2 };

void plain_head(const struct trace *t, FILE *out)
{
	for (uint32_t i = 0; i < trace_thread_count(t); i++)
		fprintf(out, "# %u %s\n", i, trace_thread(t, (struct thread_id){ i })->path);
}

static bool is_cell(const struct event *ev)
{
	return ev->kind == EV_READ || ev->kind == EV_WRITE || ev->kind == EV_ALOAD || ev->kind == EV_ASTORE || ev->kind == EV_RMW || ev->kind == EV_CAS;
}

static bool is_range(const struct event *ev)
{
	return ev->kind == EV_LIBREAD || ev->kind == EV_LIBWRITE || ev->kind == EV_COPY || ev->kind == EV_INPUT || ev->kind == EV_OUTPUT || ev->kind == EV_ALLOC;
}

/* Where a copy comes from; of others their argument, which of cells is a value and of ranges a length. */
static uint64_t other_of(const struct event *ev)
{
	uint64_t source = 0;
	if (ev->kind == EV_COPY && ev->byte_count >= sizeof source)
		memcpy(&source, ev->bytes, sizeof source);
	return is_cell(ev) || is_range(ev) ? source : ev->arg;
}

static void put_bytes(FILE *out, const uint8_t *bytes, uint64_t count)
{
	putc(' ', out);
	if (!bytes || !count)
		putc('-', out);
	for (uint64_t i = 0; bytes && i < count && i < BYTES_MOST; i++)
		fprintf(out, "%02x", bytes[i]);
}

void plain_print(const struct event *ev, FILE *out)
{
	uint64_t read[2] = { ev->arg, ev->arg_high }, wrote[2] = { ev->arg, ev->arg_high };
	bool both = ev->kind == EV_RMW || ev->kind == EV_CAS, failed = ev->kind == EV_CAS && ev->failed;
	bool reads = both || ev->kind == EV_READ || ev->kind == EV_ALOAD, writes = is_cell(ev) && (!reads || (both && !failed));
	bool brought = ev->kind == EV_LIBWRITE || ev->kind == EV_INPUT;
	if (both) {
		wrote[0] = ev->written;
		wrote[1] = ev->written_high;
	}
	fprintf(out, "%u %s %" PRIx64 " %" PRIx64 " %" PRIu64 " %d %u %u", ev->thread.i, event_word((enum event_kind)ev->kind), ev->object, other_of(ev),
		is_range(ev) ? ev->arg : (uint64_t)ev->size, ev->result, (unsigned)(failed ? ev->order2 : ev->order), (failed ? FLAG_FAILED : 0u) | (ev->in_flight ? FLAG_IN_FLIGHT : 0u));
	put_bytes(out, reads && ev->has_value ? (const uint8_t *)read : NULL, ev->size);
	if (brought)
		put_bytes(out, ev->bytes, ev->byte_count);
	else
		put_bytes(out, writes && ev->has_value ? (const uint8_t *)wrote : NULL, ev->size);
	putc('\n', out);
}

/* ---- which one it is ---- */

static ssize_t mix(void *sum, const char *text, size_t length)
{
	uint64_t *n = sum;
	for (size_t i = 0; i < length; i++)
		*n = (*n ^ (unsigned char)text[i]) * 0x100000001b3ull;
	return (ssize_t)length;
}

int plain_sum(struct trace *t, uint64_t *sum, struct err *why)
{
	struct merged *m;
	const struct event *ev;
	int got;
	if (merged_open(&m, t, why) < 0)
		return -1;
	*sum = 0xcbf29ce484222325ull;
	FILE *out = fopencookie(sum, "w", (cookie_io_functions_t){ .write = mix });
	check(out);
	plain_head(t, out);
	while ((got = merged_next_in_place(m, &ev, why)) > 0)
		plain_print(ev, out);
	fclose(out);
	merged_close(m);
	return got;
}
