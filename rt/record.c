/* rt/record.c -- control records: one event that is not a plain access, as five words in the thread's segment.
 * The header word is stored last: a record is there whole or not at all, whatever kills the program. */
#include "rt/buffer.h"
#include "rt/rt.h"
#include "rt/segment.h"
#include "rt/serve.h"
#include "rt/steer.h"
#include "rt/stripe.h"
#include "rt/sys.h"

static inline void store_header(uint64_t *at, uint64_t word)
{
	__atomic_store_n(at, word, __ATOMIC_RELEASE);
}

/* The header word that is to follow is zero before this record is there. */
static inline void store_record(uint64_t *at, uint64_t word)
{
	at[RECORD_WORDS] = 0;
	store_header(at, word);
	raddle_tls.cursor = (uint64_t)(at + RECORD_WORDS);
}

/* The same of a record with bytes behind it, padded with zeros. */
static void store_with_bytes(uint64_t *at, uint64_t word, const void *bytes, size_t count)
{
	uint64_t *payload = at + RECORD_WORDS, *end = payload + (count + 7) / 8;
	if (count)
		end[-1] = 0;
	end[0] = 0;
	copy_bytes(payload, bytes, count);
	store_header(at, word);
	raddle_tls.cursor = (uint64_t)end;
}

static inline uint64_t header(enum event_kind kind, uint64_t flags, uint64_t object)
{
	return RECORD_CONTROL | flags << 56 | (uint64_t)kind << 48 | (object & RECORD_ADDRESS_MASK);
}

/* Does the store this record is about wait in a store buffer? */
static uint64_t waits(enum event_kind kind)
{
	bool stores = kind == EV_WRITE || kind == EV_LIBWRITE || kind == EV_COPY;
	return rt_unlikely(buffers_on) && stores && buffer_took() ? RECORD_WAITS : 0;
}

/* In a steered run there is one order of everything, and every record has its number in it. */
static uint64_t order;

/* Asking for the time takes longer than all the rest of a record.  A thread whose last WINDOW records came within QUICK ticks asks
 * once for the next WINDOW: those of the kinds that come in thousands repeat the time before, and readers put them in between
 * (trace/load.c).  Everything else, waiting above all, has its own time, and ends that. */
#define WINDOW 8u
#define QUICK  16384u

static __thread struct {
	uint64_t begun, last;                    /* when the window began; the time given last */
	uint32_t left;                           /* records of the window still to come */
	bool quick;                              /* the window before was */
} recent __attribute__((tls_model("initial-exec")));

static bool comes_often(enum event_kind kind)
{
	return kind == EV_LOCK || kind == EV_UNLOCK || kind == EV_CSIGNAL || kind == EV_ALLOC || kind == EV_FREE;
}

static uint64_t time_of(enum event_kind kind)
{
	if (!comes_often(kind))
		recent.quick = false;
	if (recent.left && recent.quick) {
		recent.left--;
		return recent.last;
	}
	uint64_t now = ticks();
	if (recent.left) {
		recent.left--;
	} else {
		recent.quick = now - recent.begun < QUICK;
		recent.begun = now;
		recent.left = WINDOW - 1;
	}
	return recent.last = now;
}

static uint64_t stamp(enum event_kind kind)
{
	return raddle_tls.mode == MODE_STEER ? order += 2 : time_of(kind);
}

/* What stands above the number: points the strand has passed since its last record, less what is usual. */
uint64_t rt_points(enum event_kind kind)
{
	if (rt_likely(raddle_tls.mode != MODE_STEER))
		return 0;
	struct strand *s = own_strand;
	int64_t passed = s ? (int64_t)(s->seen->done - s->told) : 0, more = passed - kind_points(kind);
	if (more > INT16_MAX)                    /* the rest with the next one */
		more = INT16_MAX;
	if (s)
		s->told += (uint64_t)(more + kind_points(kind));
	return (uint64_t)(uint16_t)more << 48;
}

/* Which functions the thread is inside of, if that is wanted and has changed since it was last said. */
void rt_tell_frames(void)
{
	struct thread_area *area = raddle_tls.area;
	uint64_t sum = 1;
	if (!ring || !(ring->keep & KEEP_FRAMES) || raddle_tls.mode != MODE_STEER || !area)
		return;
	uint32_t count = area->depth < AREA_FRAMES ? area->depth : AREA_FRAMES;
	for (uint32_t i = 0; i < count; i++)
		sum = ((sum + area->frames[i].entered) * 0x9e3779b97f4a7c15ull + area->frames[i].returns) * 0xbf58476d1ce4e5b9ull;
	if (sum == area->told)
		return;
	area->told = sum;
	uint32_t told = count < FRAMES_TOLD ? count : FRAMES_TOLD;
	rt_event_bytes(EV_FRAMES, area->depth, told, 0, area->frames + (count - told), told * sizeof area->frames[0], PAYLOAD_MAX, 0);
}

static inline void tell_frames_of(enum event_kind kind)
{
	if (rt_unlikely(raddle_tls.mode == MODE_STEER) && kind_has_frames(kind))
		rt_tell_frames();
}

static void control(enum event_kind kind, uint64_t object, uint64_t arg, uint64_t version, int result, uint64_t pc)
{
	uint64_t *at = (uint64_t *)segment_room();
	at[1] = arg;
	at[2] = version;
	at[3] = stamp(kind) | rt_points(kind);
	at[4] = (uint64_t)(uint16_t)result << 48 | (pc & RECORD_ADDRESS_MASK);
	store_record(at, header(kind, 0, object));
}

void rt_event(enum event_kind kind, uint64_t object, uint64_t arg, uint64_t version, int result, uint64_t pc)
{
	if (rt_unlikely(serve_waits))
		serve();
	if (!ring_keeps())
		return;
	tell_frames_of(kind);
	control(kind, object, arg, version, result, pc);
}

void rt_event_next(enum event_kind kind, uint64_t object, uint64_t arg, uint64_t of, int result, uint64_t pc)
{
	if (ring_keeps())
		tell_frames_of(kind);
	uint64_t version = rt_version(of);
	if (ring_keeps())
		control(kind, object, arg, version, result, pc);
}

void rt_access_event(enum event_kind kind, uint64_t address, uint64_t bits, uint32_t what, const void *site)
{
	rt_tell_frames();
	uint64_t *at = (uint64_t *)segment_room();
	at[1] = ring && ring->no_values ? 0 : bits;
	at[2] = rt_version(address) | rt_points(kind);
	at[3] = what;
	at[4] = (uint64_t)site & RECORD_ADDRESS_MASK;
	store_record(at, header(kind, waits(kind), address));
}

void rt_touch_event(enum event_kind kind, const void *address, uint64_t bytes, uint32_t nth, const void *site)
{
	rt_tell_frames();
	uint64_t *at = (uint64_t *)segment_room(), count = bytes < PAYLOAD_MAX ? bytes : PAYLOAD_MAX;
	if (ring && ring->no_values)
		count = 0;
	at[1] = bytes < TOUCH_MAX ? bytes : TOUCH_MAX;
	at[2] = rt_version((uint64_t)address) | rt_points(kind);
	at[3] = (uint64_t)nth << 8;
	at[4] = count << 48 | ((uint64_t)site & RECORD_ADDRESS_MASK);
	store_with_bytes(at, header(kind, RECORD_PAYLOAD | (count < bytes ? RECORD_CUT : 0) | waits(kind), (uint64_t)address), address, count);
}

static void one_piece(enum event_kind kind, uint64_t flags, uint64_t object, uint64_t touched, uint64_t version, uint64_t points,
	const void *bytes, size_t count, uint64_t pc)
{
	uint64_t *at = (uint64_t *)segment_room();
	at[1] = touched;
	at[2] = version;
	at[3] = stamp(kind) | points;
	at[4] = (uint64_t)count << 48 | (pc & RECORD_ADDRESS_MASK);
	store_with_bytes(at, header(kind, flags | RECORD_PAYLOAD, object), bytes, count);
}

void rt_event_bytes(enum event_kind kind, uint64_t object, uint64_t touched, uint64_t version, const void *bytes,
	size_t count, size_t limit, uint64_t pc)
{
	if (rt_unlikely(serve_waits))
		serve();
	if (!ring_keeps())
		return;
	tell_frames_of(kind);
	uint64_t cut = count > limit ? RECORD_CUT : 0, held = waits(kind), points = rt_points(kind);
	size_t left = count > limit ? limit : count;
	const char *from = bytes;
	if (ring && ring->no_values && kind != EV_KEYFRAME && kind != EV_FRAMES && kind != EV_NAME && kind != EV_REALLOC)
		cut = count ? RECORD_CUT : 0, left = kind == EV_COPY ? 8 : 0;
	do {
		size_t piece = left > PAYLOAD_MAX ? PAYLOAD_MAX : left;
		one_piece(kind, cut | held | (left > piece ? RECORD_MORE : 0), object, touched, version, points, from, piece, pc);
		points = 0;
		from += piece;
		left -= piece;
	} while (left);
}

uint64_t rt_next_number(void)
{
	return order + 2;
}

uint64_t rt_version(uint64_t object)
{
	if (rt_unlikely(serve_waits))            /* the number is the run's, not the server's */
		serve();
	if (raddle_tls.mode == MODE_STEER)
		return order += 2;
	return 2 * __atomic_add_fetch(&stripes[stripe_of(object)].count, 1, __ATOMIC_SEQ_CST);
}

uint64_t rt_alloc_version(void)
{
	if (rt_unlikely(serve_waits))
		serve();
	return ring ? 2 * __atomic_add_fetch(&ring->alloc_version, 1, __ATOMIC_SEQ_CST) : 0;
}
