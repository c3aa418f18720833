/* analyses/epa/names.c -- see names.h. */
#include "analyses/epa/names.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <xxhash.h>

#include "base/cxx.h"
#include "base/err.h"
#include "base/mix.h"
#include "base/str.h"

void book_open(struct names_book *b)
{
	memset(b, 0, sizeof *b);
	check(pthread_mutex_init(&b->lock, NULL) == 0);
	pieces_open(&b->pieces);
	book_text(b, "");
	vec_add(&b->thing);
	vec_add(&b->hash);
	vec_add(&b->place);
}

void book_close(struct names_book *b)
{
	names_release(&b->texts);
	map_release(&b->things);
	vec_release(&b->thing);
	vec_release(&b->hash);
	map_release(&b->places);
	vec_release(&b->place);
	pieces_close(&b->pieces);
	pthread_mutex_destroy(&b->lock);
}

static uint32_t put_text(struct names_book *b, const char *text)
{
	return names_put(&b->texts, text, strlen(text));
}

uint32_t book_text(struct names_book *b, const char *text)
{
	pthread_mutex_lock(&b->lock);
	uint32_t number = put_text(b, text);
	pthread_mutex_unlock(&b->lock);
	return number;
}

const char *book_say(const struct names_book *b, uint32_t text)
{
	return names_text(&b->texts, text);
}

static bool same(const struct named *a, const struct named *b)
{
	return a->kind == b->kind && a->text == b->text && a->place == b->place && a->nth == b->nth;
}

static uint64_t hash_text(const struct names_book *b, uint32_t text)
{
	const char *said = book_say(b, text);
	return XXH64(said, strlen(said), 0);
}

static uint64_t hash_thing(const struct names_book *b, const struct named *n)
{
	uint64_t hash = mix_word(mix_word((uint64_t)n->kind, hash_text(b, n->text)), n->nth);
	return n->place ? mix_word(hash, hash_text(b, b->place.at[n->place].own)) : hash;
}

uint64_t book_hash(struct names_book *b, uint32_t thing, uint64_t offset)
{
	pthread_mutex_lock(&b->lock);
	uint64_t hash = b->hash.at[thing];
	pthread_mutex_unlock(&b->lock);
	return mix_word(hash, offset);
}

static uint32_t put_thing(struct names_book *b, struct named what)
{
	uint64_t hash = mix_word(mix_word(mix_word((uint64_t)what.kind, what.text), what.place), what.nth);
	for (bool fresh;; hash++) {
		uint64_t *at = map_put(&b->things, hash, &fresh);
		if (fresh) {
			*at = b->thing.count;
			vec_push(&b->thing, what);
			vec_push(&b->hash, hash_thing(b, &what));
		}
		if (same(&b->thing.at[*at], &what))
			return (uint32_t)*at;
	}
}

uint32_t book_thing(struct names_book *b, struct named what)
{
	pthread_mutex_lock(&b->lock);
	uint32_t number = put_thing(b, what);
	pthread_mutex_unlock(&b->lock);
	return number;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

/* All that tells a place from others; names of templates are long.  To be freed. */
static char *place_text(const struct place *at, const char *variable)
{
	char *text = NULL;
	int length = 0;
	for (int round = 0; round < 2; round++) {
		length = snprintf(text, (size_t)length, "%" PRIx64 " %s %s %" PRIu32 " %s:%" PRIu32 ":%" PRIu32 " %s %s", at->site, at->unit, at->linkage,
			at->ordinal, at->file, at->line, at->column, at->function, variable) + 1;
		if (!text)
			text = mem_take((size_t)length);
	}
	return text;
}

static uint32_t put_place(struct names_book *b, const struct place *at, const char *variable, const char *identity)
{
	uint32_t own = put_text(b, identity);
	bool fresh;
	uint64_t *number = map_put(&b->places, own, &fresh);
	if (fresh) {
		*number = b->place.count;
		struct named_place p = { put_text(b, base_name(at->file)), put_text(b, at->function), put_text(b, variable), at->line, own, put_text(b, at->linkage) };
		vec_push(&b->place, p);
	}
	return (uint32_t)*number;
}

uint32_t book_place(struct names_book *b, const struct place *at, const char *variable)
{
	variable = variable ? variable : "";
	char *identity = place_text(at, variable);
	pthread_mutex_lock(&b->lock);
	uint32_t number = put_place(b, at, variable, identity);
	pthread_mutex_unlock(&b->lock);
	mem_free(identity);
	return number;
}

char *book_where(const struct names_book *b, uint32_t place, char *into, size_t room)
{
	const struct named_place *p = &b->place.at[place];
	const char *file = book_say(b, p->file);
	if (*file && p->line)
		snprintf(into, room, "%s:%" PRIu32, file, p->line);
	else
		snprintf(into, room, "%s", *file ? file : book_say(b, p->function));
	return into;
}

static int say_thing(const struct names_book *b, const struct named *n, char *into, size_t room)
{
	char where[256];
	const char *text = book_say(b, n->text);
	switch (n->kind) {
	case NAMED_HEAP: case NAMED_MAP:
		book_where(b, n->place, where, sizeof where);
		return snprintf(into, room, "%s %s#%" PRIu64 " of %s", n->kind == NAMED_HEAP ? "heap" : "mapping", *where ? where : "object", n->nth, text);
	case NAMED_STACK:
		return snprintf(into, room, "stack of %s", text);
	case NAMED_TLS:
		return snprintf(into, room, "thread-local of %s", text);
	case NAMED_ARGUMENTS:
		return snprintf(into, room, "arguments");
	case NAMED_STRINGS:
		return snprintf(into, room, "argument strings");
	default:
		return snprintf(into, room, "%s", text);
	}
}

static void say_number(uint64_t value, unsigned size, char *into, size_t room)
{
	unsigned bits = size && size < 8 ? size * 8 : 64;
	int64_t number = (int64_t)(value << (64 - bits)) >> (64 - bits);
	if (size ? number > -1000000 && number < 10000000 : value < 65536)
		snprintf(into, room, "%" PRId64, number);
	else
		snprintf(into, room, "0x%" PRIx64, value);
}

char *book_name(const struct names_book *b, uint32_t thing, uint64_t offset, unsigned size, char *into, size_t room)
{
	check(thing < b->thing.count);
	if (!thing) {
		say_number(offset, size, into, room);
		return into;
	}
	int n = say_thing(b, &b->thing.at[thing], into, room);
	if (offset && n > 0 && (size_t)n < room)
		snprintf(into + n, room - (size_t)n, "%+" PRId64, (int64_t)offset);
	return into;
}

static bool is_same_but_blanks(const char *a, const char *b)
{
	for (;; a++, b++) {
		a += strspn(a, " ");
		b += strspn(b, " ");
		if (*a != *b || !*a)
			return *a == *b;
	}
}

bool name_is_function(const char *name, const char *given)
{
	char own[1024], other[1024];
	if (!strcmp(name, given))
		return true;
	if (str_starts(given, "_Z") && str_starts(name, "_Z"))
		return false;
	if (strchr(given, '(') && !str_starts(given, "_Z"))
		return cxx_whole(name, own, sizeof own) && is_same_but_blanks(own, given);
	bool mangled = cxx_name(name, own, sizeof own), too = cxx_name(given, other, sizeof other);
	return (mangled || too) && !strcmp(mangled ? own : name, too ? other : given);
}

bool place_is_function(const struct names_book *b, uint32_t place, bool call, const char *given)
{
	const struct named_place *p = &b->place.at[place];
	if (call)
		return name_is_function(book_say(b, p->variable), given);
	const char *linkage = book_say(b, p->linkage);
	return name_is_function(linkage, given) || (!(str_starts(given, "_Z") && str_starts(linkage, "_Z")) && name_is_function(book_say(b, p->function), given));
}
