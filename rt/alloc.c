/* rt/alloc.c -- the heap: who has which block, in the one order all heap and mapping events have.
 *
 *   ALLOC    after the block was got, FREE before it is given up: between the two the block is this program's, so two
 *            owners of one address never overlap in the recorded order;
 *   REALLOC  takes a number before and one after.  Moved: FREE of the old block with the first number, REALLOC with the second.
 *            Grown in place: REALLOC with the second (it may have swallowed a block just freed); shrunk in place: with the
 *            first (somebody may have got the tail meanwhile).
 * ALLOC's result is 1 when the memory was zeroed.
 *
 * In a steered run blocks come from a heap of our own (heap.c), whose addresses are the same in every run; blocks libc gave before it
 * began go back to libc.
 *
 * malloc is called before any constructor, by the loader, and by dlsym itself while the real functions are looked up: until
 * they are known blocks come from a small arena and are never given back.  The real functions are those of the next object
 * in symbol order, so a program that brings its own malloc keeps it. */
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

#include "rt/alloc.h"
#include "rt/effect.h"
#include "rt/heap.h"
#include "rt/local.h"
#include "rt/pool.h"
#include "rt/steer.h"
#include "rt/sys.h"

#ifdef RADDLE_STATIC
/* Weak, but for the four every program needs: asking for one of the others must not drag libc's malloc into a program that has
 * its own.  They are in one object of libc, so they are there whenever libc's malloc is. */
#define real_of(name) ({ extern __typeof__(name) __real_##name; &__real_##name; })
#pragma weak __real_aligned_alloc
#pragma weak __real_posix_memalign
#pragma weak __real_memalign
#pragma weak __real_valloc
#pragma weak __real_pvalloc
#pragma weak __real_malloc_usable_size
static inline bool known(void) { return true; }
static inline bool in_arena(const void *p) { (void)p; return false; }
static void *arena_take(size_t bytes, size_t align) { (void)bytes, (void)align; return NULL; }
static size_t arena_bytes(const void *p) { (void)p; return 0; }
size_t alloc_room_apart(void) { return 0; }
#else
#define ARENA_BYTES 32768

static char arena[ARENA_BYTES] __attribute__((aligned(64)));
static size_t arena_used;

#define FAMILY(X) \
	X(malloc) X(calloc) X(realloc) X(free) X(aligned_alloc) X(posix_memalign) X(memalign) X(valloc) X(pvalloc) \
	X(malloc_usable_size)
static struct {
#define X(name) __typeof__(&name) name;
	FAMILY(X)
#undef X
	bool looking, found;
} real;
#define real_of(name) real.name

static bool look_up(void)
{
	if (real.looking)
		return false;
	real.looking = true;
#define X(name) real.name = (__typeof__(&name))rt_real(#name, NULL);
	FAMILY(X)
#undef X
	__atomic_store_n(&real.found, true, __ATOMIC_RELEASE);
	return true;
}

static inline bool known(void)
{
	return rt_likely(real.found) || look_up();
}

static inline bool in_arena(const void *p)
{
	return (uint64_t)p - (uint64_t)arena < ARENA_BYTES;
}

/* Blocks carry their size in the word before them; the arena is zero. */
static void *arena_take(size_t bytes, size_t align)
{
	size_t at = (arena_used + 16 + align - 1) / align * align;
	if (bytes > ARENA_BYTES || at + bytes > ARENA_BYTES)
		rt_fatal("the C library needs more memory than expected before it is ready");
	*(size_t *)(arena + at - 8) = bytes;
	arena_used = at + bytes;
	return arena + at;
}

static size_t arena_bytes(const void *p)
{
	return ((const size_t *)p)[-1];
}

size_t alloc_room_apart(void)
{
	return ARENA_BYTES - arena_used;
}

__attribute__((constructor(102))) static void find_real_functions(void)
{
	known();
}
#endif

/* ---- the functions below: a steered run's own heap, or libc ---- */

__thread struct alloc_scratch *alloc_scratch __attribute__((tls_model("initial-exec")));

/* Zeroed; its size stands in front of it. */
static void *scratch_take(size_t bytes)
{
	struct alloc_scratch *s = alloc_scratch;
	size_t room = (bytes + 31) / 16 * 16;
	if (bytes > 1 << 20 || (size_t)(s->end - s->at) < room) {
		errno = ENOMEM;
		return NULL;
	}
	zero_bytes(s->at, room);
	*(size_t *)(s->at + 8) = bytes;
	s->at += room;
	return s->at - room + 16;
}

static void *scratch_retake(const void *old, size_t bytes)
{
	char *p = scratch_take(bytes);
	size_t had = old ? ((const size_t *)old)[-1] : 0;
	if (p && old)
		copy_bytes(p, old, had < bytes ? had : bytes);
	return p;
}

static inline void *lower_malloc(size_t bytes)
{
	if (rt_unlikely(alloc_scratch != NULL))
		return scratch_take(bytes);
	return heap_bytes ? heap_malloc(bytes) : real_of(malloc)(bytes);
}
static inline void *lower_calloc(size_t count, size_t size)
{
	if (rt_unlikely(alloc_scratch != NULL))
		return scratch_take(count * size);
	return heap_bytes ? heap_calloc(count, size) : real_of(calloc)(count, size);
}
static inline void lower_free(void *p)
{
	if (rt_unlikely(alloc_scratch != NULL))
		return;
	if (heap_owns(p)) {
		heap_free(p);
		return;
	}
	heap_refuse(p);
	real_of(free)(p);
}
static inline void *lower_realloc(void *old, size_t bytes)
{
	if (rt_unlikely(alloc_scratch != NULL))
		return scratch_retake(old, bytes);
	if (heap_owns(old) || (heap_bytes && !old))
		return heap_realloc(old, bytes);
	heap_refuse(old);
	return real_of(realloc)(old, bytes);
}
static inline void *lower_memalign(size_t align, size_t bytes)
{
	return heap_bytes ? heap_memalign(align, bytes) : real_of(memalign)(align, bytes);
}
static inline void *lower_aligned_alloc(size_t align, size_t bytes)
{
	return heap_bytes && align && !(align & (align - 1)) ? heap_memalign(align, bytes) : real_of(aligned_alloc)(align, bytes);
}
static inline int lower_posix_memalign(void **out, size_t align, size_t bytes)
{
	if (!heap_bytes || align % sizeof(void *) || (align & (align - 1)) || !align)
		return real_of(posix_memalign)(out, align, bytes);
	int before = errno;
	void *p = heap_memalign(align, bytes);
	errno = before;
	if (p)
		*out = p;
	return p ? 0 : ENOMEM;
}
static inline void *lower_valloc(size_t bytes) { return heap_bytes ? heap_memalign(4096, bytes) : real_of(valloc)(bytes); }
static inline void *lower_pvalloc(size_t bytes)
{
	return heap_bytes ? heap_memalign(4096, (bytes + 4095) / 4096 * 4096) : real_of(pvalloc)(bytes);
}

__thread uint64_t alloc_caller __attribute__((tls_model("initial-exec")));

__thread uint64_t alloc_library __attribute__((tls_model("initial-exec")));

/* Who gets the event: whoever operator new or delete was called by, or opened or closed a stream, else the caller of malloc or free. */
static uint64_t caller_is(uint64_t pc)
{
	return alloc_caller ? alloc_caller : alloc_library ? alloc_library : pc;
}

static uint64_t caller(uint64_t pc)
{
	pc = caller_is(pc);
	alloc_caller = 0;
	return pc;
}

static void note_free(const void *p, uint64_t version, uint64_t pc)
{
	struct local asked;
	if (!local_begin(&asked))
		return;
	rt_event(EV_FREE, (uint64_t)p, 0, version, 0, pc);
	local_end(&asked);
}

static void *got(void *p, size_t bytes, int zeroed, uint64_t pc)
{
	struct local asked;
	pc = caller(pc);
	if (!p || !local_begin(&asked))
		return p;
	rt_event(EV_ALLOC, (uint64_t)p, bytes, rt_alloc_version(), zeroed, pc);
	if (zeroed)
		effect_result(p, bytes, pc);
	local_end(&asked);
	if (rt_unlikely(local_asks))
		local_got(p, bytes);
	return p;
}

/* Only where memory is given out again does it matter who asks first. */
static void alloc_point(uint64_t pc)
{
	heap_caller = caller_is(pc);
	if (heap_reuses())
		steer_point(EV_ALLOC, 0, heap_caller);
}

/* A block given back may be somebody else's next: what was stored into it, and whatever came before, is in memory by then. */
static void hand_over(void)
{
	if (rt_unlikely(buffers_on) && rt_steered() && (!heap_bytes || (heap_reuses() && !heap_is_apart())))
		buffer_drain();
}

/* Not from the program's heap: it is too early, or not the program's business. */
static void *taken_apart(size_t count, size_t size, bool zeroed, uint64_t pc)
{
	if (rt_unlikely(alloc_scratch != NULL))
		return scratch_take(count * size);
	void *got = arena_take(count * size, 16);
	if (pool_fills)
		pool_asked(count, size, zeroed, got, pc);
	return got;
}

INTERPOSE(void *, malloc, (size_t bytes))
{
	if (rt_unlikely(!known() || pool_fills))
		return taken_apart(1, bytes, false, RT_PC);
	if (!rt_on())
		return lower_malloc(bytes);
	alloc_point(RT_PC);
	return got(lower_malloc(bytes), bytes, 0, RT_PC);
}

INTERPOSE(void *, calloc, (size_t count, size_t size))
{
	if (rt_unlikely(!known() || pool_fills))
		return taken_apart(count, size, true, RT_PC);
	if (!rt_on())
		return lower_calloc(count, size);
	alloc_point(RT_PC);
	return got(lower_calloc(count, size), count * size, 1, RT_PC);
}

INTERPOSE(void, free, (void *p))
{
	if (rt_unlikely(in_arena(p) || !known()))
		return;
	if (p && rt_on()) {
		steer_point(EV_FREE, (uint64_t)p, caller_is(RT_PC));
		hand_over();
		note_free(p, rt_alloc_version(), caller(RT_PC));
	}
	lower_free(p);
}

static void *leave_arena(const void *old, size_t bytes)
{
	void *p = malloc(bytes);
	size_t had = arena_bytes(old);
	if (p)
		copy_bytes(p, old, had < bytes ? had : bytes);
	return p;
}

/* Notes a realloc of `old` (which had `had` usable bytes) that gave p; `before` is the number taken before it. */
static void note_realloc(void *p, void *old, size_t had, size_t bytes, uint64_t before, uint64_t pc)
{
	uint64_t from = (uint64_t)old, version;
	struct local asked;
	if (p != old)
		note_free(old, before, pc);
	version = p == old && bytes < had ? before : rt_alloc_version();
	if (!local_begin(&asked))
		return;
	rt_event_bytes(EV_REALLOC, (uint64_t)p, bytes, version, &from, 8, 8, pc);
	if (p != old)
		effect_result(p, had < bytes ? had : bytes, pc);
	local_end(&asked);
}

/* Bytes the block really has; a malloc that cannot be asked is taken to keep to what it is asked for now. */
static size_t usable(void *p, size_t otherwise)
{
	size_t (*ask)(void *) = real_of(malloc_usable_size);
	__asm__("" : "+r"(ask));                 /* weak in a static program: do not assume it is there */
	if (heap_owns(p))
		return heap_usable(p);
	return ask ? ask(p) : otherwise;
}

INTERPOSE(size_t, malloc_usable_size, (void *p))
{
	if (rt_unlikely(!known() || in_arena(p)))
		return p ? arena_bytes(p) : 0;
	return p ? usable(p, 0) : 0;
}

static void *resize(void *old, size_t bytes, uint64_t pc)
{
	if (!old) {
		alloc_point(pc);
		return got(lower_malloc(bytes), bytes, 0, pc);
	}
	heap_caller = pc;
	steer_point(EV_REALLOC, (uint64_t)old, pc);
	hand_over();
	size_t had = usable(old, bytes);
	uint64_t before = rt_alloc_version();
	if (!bytes) {
		note_free(old, before, pc);
		return lower_realloc(old, 0);
	}
	void *p = lower_realloc(old, bytes);
	if (p)
		note_realloc(p, old, had, bytes, before, pc);
	return p;
}

INTERPOSE(void *, realloc, (void *old, size_t bytes))
{
	if (rt_unlikely(!known()))
		return old ? leave_arena(old, bytes) : arena_take(bytes, 16);
	if (rt_unlikely(old && in_arena(old)))
		return leave_arena(old, bytes);
	if (!rt_on())
		return lower_realloc(old, bytes);
	return resize(old, bytes, RT_PC);
}

INTERPOSE(void *, reallocarray, (void *old, size_t count, size_t size))
{
	size_t bytes;
	if (__builtin_mul_overflow(count, size, &bytes)) {
		errno = ENOMEM;
		return NULL;
	}
	if (rt_unlikely(!known() || in_arena(old)))
		return old ? leave_arena(old, bytes) : arena_take(bytes, 16);
	if (!rt_on())
		return lower_realloc(old, bytes);
	return resize(old, bytes, RT_PC);
}

INTERPOSE(void *, aligned_alloc, (size_t align, size_t bytes))
{
	if (rt_unlikely(!known()))
		return arena_take(bytes, align);
	if (!rt_on())
		return lower_aligned_alloc(align, bytes);
	alloc_point(RT_PC);
	return got(lower_aligned_alloc(align, bytes), bytes, 0, RT_PC);
}

INTERPOSE(void *, memalign, (size_t align, size_t bytes))
{
	if (rt_unlikely(!known()))
		return arena_take(bytes, align);
	if (!rt_on())
		return lower_memalign(align, bytes);
	alloc_point(RT_PC);
	return got(lower_memalign(align, bytes), bytes, 0, RT_PC);
}

INTERPOSE(int, posix_memalign, (void **out, size_t align, size_t bytes))
{
	if (rt_unlikely(!known())) {
		*out = arena_take(bytes, align);
		return 0;
	}
	int failed = lower_posix_memalign(out, align, bytes);
	if (!failed && rt_on()) {
		got(*out, bytes, 0, RT_PC);
		effect_result(out, sizeof *out, RT_PC);
	}
	return failed;
}

INTERPOSE(void *, valloc, (size_t bytes))
{
	if (!known() || !rt_on())
		return lower_valloc(bytes);
	alloc_point(RT_PC);
	return got(lower_valloc(bytes), bytes, 0, RT_PC);
}

INTERPOSE(void *, pvalloc, (size_t bytes))
{
	if (!known() || !rt_on())
		return lower_pvalloc(bytes);
	alloc_point(RT_PC);
	return got(lower_pvalloc(bytes), (bytes + 4095) / 4096 * 4096, 0, RT_PC);
}
