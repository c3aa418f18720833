/* rt/handover.c -- see handover.h.  Only where races are looked for (KEEP_FRAMES).
 *
 * A *line* is one direction of a pipe or a socket pair, or an event descriptor.  Whoever writes to it releases an object, which stands in the line with the bytes
 * written; whoever reads bytes acquires the objects they belong to: a write happens before the reads that return its bytes, and before no other.  Of event
 * descriptors the units are what is added and, one by one (EFD_SEMAPHORE) or all at once, taken; of sockets that keep messages apart, messages.
 *   (1) waiting[first .. first + count) of a line are the objects not yet read to their end, oldest first; when there is no room, the newest stands for more;
 *   (2) a reader that finds nothing more to read (0 bytes) acquires what those released who closed an end for writing;
 *   (3) who is told that there is something to read without reading it (ready.c) acquires the oldest of them: the others may not have been there yet; if
 *       there are none, or he is told that no more comes, what (2) does;
 *   (4) once another process may read or write there too, or a call was used whose bytes are not counted, the line is *loose*: a read acquires all that was ever
 *       released, and what earlier reads knew.
 * Objects: wire/line.h. */
#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include "rt/descriptors.h"
#include "rt/handover.h"
#include "rt/queues.h"
#include "rt/ready.h"
#include "rt/segment.h"
#include "wire/line.h"

#define LINES   256u
#define WAITING 64u
#define FDS     4096

struct line {
	uint32_t ends;                        /* descriptors that lead to it; 0: free */
	uint32_t next;                        /* slot */
	uint32_t first, count;
	bool loose, messages, event, one_by_one;
	struct { uint32_t slot; uint64_t units; } waiting[WAITING];
};

static struct line lines[LINES];
static struct { uint16_t in, out; } ends[FDS];        /* line + 1; 0 none */
static __thread uint64_t sent_so_far __attribute__((tls_model("initial-exec")));     /* of a call that goes on */

static void tell(enum event_kind kind, const struct line *l, uint32_t slot, uint64_t pc)
{
	uint64_t object = line_object((uint64_t)(l - lines), slot);
	rt_event(kind, object, 0, rt_version(object), 0, pc);
}

static bool is_known(long fd)
{
	return fd >= 0 && fd < FDS;
}

static struct line *line_of(uint16_t number)
{
	return number ? &lines[number - 1] : NULL;
}

/* ---- ends ---- */

static uint16_t line_new(bool messages, bool event, bool one_by_one)
{
	for (uint32_t i = 0; i < LINES; i++)
		if (!lines[i].ends) {
			lines[i].first = lines[i].count = 0;
			lines[i].loose = false;
			lines[i].messages = messages;
			lines[i].event = event;
			lines[i].one_by_one = one_by_one;
			return (uint16_t)(i + 1);
		}
	return 0;
}

static void end_is(long fd, uint16_t in, uint16_t out)
{
	if (!is_known(fd))
		return;
	ends[fd].in = in;
	ends[fd].out = out;
	if (in)
		line_of(in)->ends++;
	if (out)
		line_of(out)->ends++;
}

static void end_goes(long fd, uint64_t pc)
{
	if (!is_known(fd))
		return;
	struct line *in = line_of(ends[fd].in), *out = line_of(ends[fd].out);
	ends[fd].in = ends[fd].out = 0;
	if (out && !out->event)
		tell(EV_RELEASE, out, LINE_CLOSED, pc);
	if (in)
		in->ends--;
	if (out)
		out->ends--;
}

static void pair_made(const struct world_call *c)
{
	bool sockets = c->number == SYS_socketpair;
	const int *pair = (const int *)c->a[sockets ? 3 : 0];
	bool messages = sockets ? (c->a[1] & 0xf) != SOCK_STREAM : c->number == SYS_pipe2 && c->a[1] & O_DIRECT;
	uint16_t there = line_new(messages, false, false);
	end_is(pair[1], 0, there);
	uint16_t back = sockets && there ? line_new(messages, false, false) : 0;
	end_is(pair[0], there, back);
	if (back && is_known(pair[1])) {
		ends[pair[1]].in = back;
		line_of(back)->ends++;
	}
}

static void copied(long from, long to, uint64_t pc)
{
	if (from == to)
		return;
	end_goes(to, pc);
	if (is_known(from))
		end_is(to, ends[from].in, ends[from].out);
}

/* ---- what goes through ---- */

static void becomes_loose(struct line *l)
{
	if (fds_are_shared())
		l->loose = true;
}

static void written(struct line *l, uint64_t units, uint64_t pc)
{
	becomes_loose(l);
	if (!units)
		return;
	if (l->count == WAITING || (l->loose && l->count)) {
		uint32_t newest = (l->first + l->count - 1) % WAITING;
		l->waiting[newest].units += units;
		tell(EV_RELEASE, l, l->waiting[newest].slot, pc);
		return;
	}
	uint32_t at = (l->first + l->count++) % WAITING;
	l->waiting[at].slot = l->next++ % LINE_SLOTS;
	l->waiting[at].units = units;
	tell(EV_RELEASE, l, l->waiting[at].slot, pc);
}

static void taken_all(struct line *l, uint64_t pc)
{
	for (uint32_t i = 0; i < l->count; i++)
		tell(EV_ACQUIRE, l, l->waiting[(l->first + i) % WAITING].slot, pc);
	l->count = 0;
}

static void taken(struct line *l, uint64_t units, bool stays, uint64_t pc)
{
	becomes_loose(l);
	if (l->loose) {                               /* who reads next knows what this one knows, too */
		taken_all(l, pc);
		written(l, 1, pc);
		return;
	}
	if (l->event && !l->one_by_one) {
		taken_all(l, pc);
		return;
	}
	for (uint32_t i = 0; units && i < l->count; i++) {
		uint32_t at = (l->first + i) % WAITING;
		uint64_t here = l->waiting[at].units < units ? l->waiting[at].units : units;
		tell(EV_ACQUIRE, l, l->waiting[at].slot, pc);
		units -= here;
		l->waiting[at].units -= stays ? 0 : here;
	}
	while (l->count && !l->waiting[l->first].units) {
		l->first = (l->first + 1) % WAITING;
		l->count--;
	}
}

static uint64_t units_of(const struct line *l, const struct world_call *c, uint64_t bytes, bool writes)
{
	if (l->event)
		return writes && c->number == SYS_write ? *(const uint64_t *)c->a[1] : 1;
	return l->messages ? 1 : bytes;
}

static void sent(const struct world_call *c, long result, bool more)
{
	uint64_t before = sent_so_far, now = result > 0 ? (uint64_t)result : 0;
	struct line *l = is_known(c->a[0]) ? line_of(ends[c->a[0]].out) : NULL;
	sent_so_far = more ? now : 0;
	if (l && now > before)
		written(l, units_of(l, c, now - before, true), c->pc);
}

static void received(const struct world_call *c, long result)
{
	struct line *l = is_known(c->a[0]) ? line_of(ends[c->a[0]].in) : NULL;
	bool counted = c->number == SYS_read || c->number == SYS_readv || c->number == SYS_recvfrom || c->number == SYS_recvmsg;
	long flags = c->number == SYS_recvfrom ? c->a[3] : c->number == SYS_recvmsg ? c->a[2] : 0;
	if (!l || result < 0)
		return;
	if (!counted)
		l->loose = true;
	if (result == 0 && !l->messages)
		tell(EV_ACQUIRE, l, LINE_CLOSED, c->pc);
	else
		taken(l, units_of(l, c, (uint64_t)result, false), flags & MSG_PEEK, c->pc);
}

void handover_seen(long fd, bool ended, uint64_t pc)
{
	struct line *l = is_known(fd) ? line_of(ends[fd].in) : NULL;
	if (!l)
		return;
	becomes_loose(l);
	for (uint32_t i = 0; i < l->count && (i == 0 || l->loose); i++)
		tell(EV_ACQUIRE, l, l->waiting[(l->first + i) % WAITING].slot, pc);
	if ((ended || !l->count) && !l->event)
		tell(EV_ACQUIRE, l, LINE_CLOSED, pc);
}

/* Bytes that go from one descriptor to another without the program having seen them. */
static void passed_on(const struct world_call *c, long result)
{
	long from = c->number == SYS_sendfile ? c->a[1] : c->a[0], to = c->number == SYS_sendfile || c->number == SYS_vmsplice ? c->a[0] : c->number == SYS_tee ? c->a[1] : c->a[2];
	struct line *in = is_known(from) ? line_of(ends[from].in) : NULL, *out = is_known(to) ? line_of(ends[to].out) : NULL;
	if (result <= 0)
		return;
	if (in && c->number != SYS_vmsplice) {
		in->loose = true;
		taken(in, 1, false, c->pc);
	}
	if (out)
		written(out, out->messages ? 1 : (uint64_t)result, c->pc);
}

void handover_after(const struct world_call *c, long result, bool more)
{
	if (!ring || !(ring->keep & KEEP_FRAMES) || !own_strand)
		return;
	switch (c->number) {
	case SYS_write: case SYS_writev: case SYS_sendto: case SYS_sendmsg:
		sent(c, result, more);
		return;
	default:
		break;
	}
	if (more || result < 0)
		return;
	ready_after(c, result);
	queues_after(c, result);
	switch (c->number) {
	case SYS_read: case SYS_readv: case SYS_recvfrom: case SYS_recvmsg: case SYS_recvmmsg: case SYS_preadv2:
		received(c, result);
		break;
	case SYS_splice: case SYS_tee: case SYS_vmsplice: case SYS_sendfile:
		passed_on(c, result);
		break;
	case SYS_sendmmsg: case SYS_pwritev2:
		if (is_known(c->a[0]) && ends[c->a[0]].out) {
			line_of(ends[c->a[0]].out)->loose = true;
			written(line_of(ends[c->a[0]].out), 1, c->pc);
		}
		break;
	case SYS_pipe: case SYS_pipe2: case SYS_socketpair:
		pair_made(c);
		break;
	case SYS_eventfd: case SYS_eventfd2: {
		uint16_t line = line_new(false, true, c->number == SYS_eventfd2 && c->a[1] & EFD_SEMAPHORE);
		end_is(result, line, line);
		break;
	}
	case SYS_dup: case SYS_dup2: case SYS_dup3:
		copied(c->a[0], result, c->pc);
		break;
	case SYS_fcntl:
		if (c->a[1] == F_DUPFD || c->a[1] == F_DUPFD_CLOEXEC)
			copied(c->a[0], result, c->pc);
		break;
	case SYS_shutdown:
		if (c->a[1] != SHUT_RD && is_known(c->a[0]) && ends[c->a[0]].out)
			tell(EV_RELEASE, line_of(ends[c->a[0]].out), LINE_CLOSED, c->pc);
		break;
	case SYS_close:
		end_goes(c->a[0], c->pc);
		break;
	case SYS_close_range:
		for (long fd = c->a[0]; fd <= c->a[1] && fd < FDS && !(c->a[2] & 4); fd++)      /* CLOSE_RANGE_CLOEXEC */
			end_goes(fd, c->pc);
		break;
	default:
		break;
	}
}
