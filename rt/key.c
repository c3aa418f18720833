/* rt/key.c -- thread-specific data: when a key's destructor runs.
 *
 * libc tells a destructor the value but not the key.  So each key with a destructor is given one of KEYS entry points of
 * our own, which differ only in the number they hand on; the number leads to the key and the program's destructor.
 *   (1) a cell is taken (destructor != NULL) from before the real key exists until it is deleted;
 *   (2) with no cell left, or when not recording, the program's destructor goes to libc unwrapped. */
#include <limits.h>

#include "rt/steer.h"
#include "rt/sync.h"

#define KEYS 1024                             /* PTHREAD_KEYS_MAX, spelled out for the assembler */
_Static_assert(KEYS == PTHREAD_KEYS_MAX, "as many entry points as libc has keys");

typedef void (*destructor)(void *);

static struct cell {
	destructor destructor;
	pthread_key_t key;
	uint32_t known;                       /* key is set */
} cells[KEYS];

#define ENTRY_BYTES 16
extern const char key_entries[] __attribute__((visibility("hidden")));
void key_entered(void *value, uint64_t number);

/* Entry n: second argument n, then on to key_entered(value, n). */
__asm__(
	".pushsection .text\n"
	".balign 16\n"
	".hidden key_entries\n"
	".globl key_entries\n"
	"key_entries:\n"
	".set key_number, 0\n"
	".rept 1024\n"
	"	.balign 16\n"
	"	mov $key_number, %esi\n"
	"	jmp key_entered\n"
	"	.set key_number, key_number + 1\n"
	".endr\n"
	".popsection\n");

void key_entered(void *value, uint64_t number)
{
	struct cell *c = &cells[number];
	steer_point(EV_KEYDTOR, c->key, AS_OBJECT(__atomic_load_n(&c->destructor, __ATOMIC_RELAXED)));
	destructor destroy = __atomic_load_n(&c->destructor, __ATOMIC_ACQUIRE);
	if (!destroy)
		return;                               /* deleted meanwhile */
	if (rt_on())
		rt_event(EV_KEYDTOR, c->key, AS_OBJECT(value), 0, 0, AS_OBJECT(destroy));
	destroy(value);
}

static struct cell *cell_take(destructor destroy)
{
	for (uint32_t i = 0; i < KEYS; i++) {
		destructor none = NULL;
		if (__atomic_compare_exchange_n(&cells[i].destructor, &none, destroy, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
			return &cells[i];
	}
	return NULL;
}

static void cell_free(struct cell *c)
{
	__atomic_store_n(&c->known, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&c->destructor, NULL, __ATOMIC_RELEASE);
}

static struct cell *cell_of(pthread_key_t key)
{
	for (uint32_t i = 0; i < KEYS; i++)
		if (__atomic_load_n(&cells[i].known, __ATOMIC_ACQUIRE) && cells[i].key == key)
			return &cells[i];
	return NULL;
}

static destructor entry_of(const struct cell *c)
{
	return (destructor)(uintptr_t)(key_entries + ENTRY_BYTES * (c - cells));
}

static int settle(struct cell *c, pthread_key_t key, int failed)
{
	if (failed)
		cell_free(c);
	else {
		c->key = key;
		__atomic_store_n(&c->known, 1, __ATOMIC_RELEASE);
	}
	return failed;
}

INTERPOSE(int, pthread_key_create, (pthread_key_t *key, void (*destroy)(void *)))
{
	steer_point(EV_LOCKINIT, AS_OBJECT(key), RT_PC);
	struct cell *c = rt_on() && destroy ? cell_take(destroy) : NULL;
	if (!c)
		return REAL(pthread_key_create)(key, destroy);
	int result = REAL(pthread_key_create)(key, entry_of(c));
	return settle(c, *key, result);
}

INTERPOSE(int, tss_create, (tss_t *key, tss_dtor_t destroy))
{
	steer_point(EV_LOCKINIT, AS_OBJECT(key), RT_PC);
	struct cell *c = rt_on() && destroy ? cell_take(destroy) : NULL;
	if (!c)
		return REAL(tss_create)(key, destroy);
	int answer = REAL(tss_create)(key, entry_of(c));
	return settle(c, *key, answer);
}

/* Recording may have stopped since the key was made: its cell is given back in any mode. */
INTERPOSE(int, pthread_key_delete, (pthread_key_t key))
{
	steer_point(EV_LOCKDEAD, key, RT_PC);
	struct cell *c = cell_of(key);
	int result = REAL(pthread_key_delete)(key);
	if (c && result == 0)
		cell_free(c);
	return result;
}

INTERPOSE(void, tss_delete, (tss_t key))
{
	steer_point(EV_LOCKDEAD, key, RT_PC);
	struct cell *c = cell_of(key);
	REAL(tss_delete)(key);
	if (c)
		cell_free(c);
}
