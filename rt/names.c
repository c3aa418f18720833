/* rt/names.c -- names of threads.  The kernel keeps the name of a thread; a strand has it here, whether it has a thread of its own or not: both make
 * the same system calls, which is what a replay under a debugger depends on.
 * A new strand is called as its creator is; the first one as the program, until it is named. */
#include "rt/names.h"

#include <errno.h>
#include <sys/prctl.h>

#include "rt/effect.h"
#include "rt/segment.h"
#include "rt/slots.h"
#include "rt/sync.h"
#include "rt/sys.h"

static char first_name[STRAND_NAME];

bool names_are_ours(void)
{
	return rt_steered() && own_strand;
}

/* Before the kernel is told another one. */
static void know_first_name(void)
{
	char name[STRAND_NAME] = "";            /* written to first: the kernel does not write to a page that restart.c watches */
	if (first_name[0])
		return;
	sys3(SYS_prctl, PR_GET_NAME, (long)name, 0);
	copy_bytes(first_name, name, STRAND_NAME);
}

int names_set(struct strand *s, const char *name)
{
	unsigned bytes = 0;
	know_first_name();
	while (bytes < STRAND_NAME && name[bytes])
		bytes++;
	if (bytes == STRAND_NAME)
		return ERANGE;
	if (steer_has_ended(s))
		return ENOENT;
	copy_bytes(s->name, name, bytes + 1);
	s->is_named = true;
	return 0;
}

int names_get(const struct strand *s, char *to, size_t room)
{
	know_first_name();
	if (room < STRAND_NAME)
		return ERANGE;
	if (steer_has_ended(s))
		return ENOENT;
	const char *name = s->is_named ? s->name : first_name;
	unsigned bytes = 0;
	while (bytes < STRAND_NAME - 1 && name[bytes])
		bytes++;
	copy_bytes(to, name, bytes);
	to[bytes] = 0;
	return 0;
}

/* ---- by pthread_t ---- */

static struct thread_area *area_of(uint32_t uid)
{
	for (uint32_t i = 0; i < RING_THREADS; i++) {
		struct thread_area *area = ring_area((uid + i) % RING_THREADS);
		if (area->thread == uid && __atomic_load_n(&area->state, __ATOMIC_ACQUIRE) == AREA_LIVE)
			return area;
	}
	return NULL;
}

/* NULL: libc is to be asked. */
static struct strand *named_strand(pthread_t thread)
{
	if (!names_are_ours())
		return NULL;
	struct slot *s = thread == pthread_self() ? NULL : slot_of(thread);
	return thread == pthread_self() ? own_strand : s ? s->strand : NULL;
}

INTERPOSE(int, pthread_getname_np, (pthread_t thread, char *name, size_t room))
{
	const struct strand *strand = named_strand(thread);
	int result = strand ? names_get(strand, name, room) : REAL(pthread_getname_np)(thread, name, room);
	if (result == 0 && effects_on())
		effect_result(name, STRAND_NAME, RT_PC);
	return result;
}

/* For a thread that has no area yet: it looks here when it has one, as its namer looks for the area afterwards. */
static void leave_name(struct slot *s, const char *name, unsigned bytes)
{
	copy_bytes(s->name, name, bytes);
	s->name[bytes] = 0;
	__atomic_store_n(&s->is_named, true, __ATOMIC_SEQ_CST);
}

INTERPOSE(int, pthread_setname_np, (pthread_t thread, const char *name))
{
	struct strand *strand = named_strand(thread);
	int result = strand ? names_set(strand, name) : REAL(pthread_setname_np)(thread, name);
	if (result || !rt_on())
		return result;
	struct slot *s = thread == pthread_self() ? NULL : slot_of(thread);
	unsigned bytes = 0;
	while (bytes < NAME_BYTES - 1 && name[bytes])
		bytes++;
	if (s)
		leave_name(s, name, bytes);
	struct thread_area *area = s ? area_of(slot_uid(s)) : raddle_tls.area;
	if (area) {
		copy_bytes(area->name, name, bytes);
		area->name[bytes] = 0;
	}
	rt_event_bytes(EV_NAME, slot_uid(s), bytes, 0, name, bytes, NAME_BYTES, RT_PC);
	return 0;
}
