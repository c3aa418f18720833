/* rt/known.c -- which modelled library function is at an address.
 * The address of a function is the same in every object, and here: what this table has is what the program's pointers hold.
 * Names libc does not have are null.  Where the program has a function of its own of that name, built with raddle, it is no library's. */
#include "rt/buffer.h"
#include "rt/known.h"
#include "rt/rt.h"
#include "rt/words.h"
#include "wire/hooks.h"
#include "wire/modelled.h"
#include "wire/told.h"

#define SLOTS 512u

#define X(name) \
	extern const char real_##name[] __asm__(#name) __attribute__((weak)); \
	extern const char model_##name[] __asm__("raddle_lib_" #name) __attribute__((weak));
MODELLED(X)
#undef X

static const struct known all[] = {
#define X(name) { real_##name, model_##name, #name },
	MODELLED(X)
#undef X
};

static const struct known *slots[SLOTS];
static uint64_t low = 1, span;

_Static_assert(sizeof all / sizeof *all <= SLOTS / 2, "a table that has room");

static uint32_t slot_of(const void *code)
{
	return (uint32_t)(((uint64_t)code * 0x9e3779b97f4a7c15ull) >> 55);
}

void known_start(void)
{
	uint64_t high = 0, least = UINT64_MAX;
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		const struct known *k = &all[i];
		uint32_t at = slot_of(k->real);
		if (!k->real || !k->model || called_is_built(k->real))
			continue;
		while (slots[at] && slots[at]->real != k->real)
			at = (at + 1) % SLOTS;
		if (slots[at])                          /* memcpy and memmove may be one function */
			continue;
		slots[at] = k;
		high = (uint64_t)k->real > high ? (uint64_t)k->real : high;
		least = (uint64_t)k->real < least ? (uint64_t)k->real : least;
	}
	if (high) {
		low = least;
		span = high - least;
	}
}

const struct known *known_at(const void *code)
{
	if (rt_likely((uint64_t)code - low > span))
		return NULL;
	for (uint32_t at = slot_of(code); slots[at]; at = (at + 1) % SLOTS)
		if (slots[at]->real == code)
			return slots[at];
	return NULL;
}

bool known_is_told(const struct known *k)
{
	static const char *const told[] = {
#define X(name) #name,
		TOLD(X)
#undef X
	};
	for (size_t i = 0; i < sizeof told / sizeof *told; i++)
		if (words_same(k->name, told[i]))
			return true;
	return false;
}

RT_EXPORT const void *raddle_known(const void *code)
{
	const struct known *k = known_at(code);
	return k ? k->model : code;
}
