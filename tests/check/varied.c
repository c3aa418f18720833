/* tests/check/varied.c -- a small random program, in the language of the oracle and in C or C++, whose words lie wherever programs keep them.
 *   varied SEED MODEL-FILE SOURCE-FILE          every other seed is C++
 * Relaxed atomics lie in globals, on the heap, on main's stack, inside structures.  Two records are accessed under a lock: a pair of ints,
 * by field or by memcpy, and bit-fields; one program in six forgets the lock now and then, which is a race.  A block may be freed by a
 * thread, a thread may call exit(), a function runs once.  Main looks at what is left and asserts that it is not so and so. */
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_READ = 6 };

static uint64_t state;
static FILE *model, *source;
static unsigned words, told;            /* told: registers that hold something */
static bool racy, has_bits, has_pair, has_block, has_once, two_locks;

static unsigned pick(unsigned n)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(state >> 33) % n;
}

static char word(unsigned n) { return (char)('x' + n); }

__attribute__((format(printf, 2, 3))) static void write_to(FILE *f, const char *form, ...)
{
	va_list rest;
	va_start(rest, form);
	vfprintf(f, form, rest);
	va_end(rest);
}
#define M(...) write_to(model, __VA_ARGS__)
#define C(...) write_to(source, __VA_ARGS__)

/* ---------------------------------------------------------------- where things lie */

/* main has to make what lies on the heap or on its stack: which it is stands in `lies`. */
static enum lies { GLOBAL, HEAP, MEMBER, STACK } lies[3];

static void declare_words(void)
{
	for (unsigned i = 0; i < words; i++) {
		char w = word(i);
		lies[i] = (enum lies)pick(4);
		M("shared %c;\n", w);
		switch (lies[i]) {
		case GLOBAL: C("static word_t %c;\n", w); break;
		case HEAP: C("struct around_%c { long before; word_t it; };\nstatic struct around_%c *in_%c;\n#define %c (in_%c->it)\n", w, w, w, w, w); break;
		case MEMBER: C("static struct { char before; word_t it[3]; } in_%c;\n#define %c (in_%c.it[1])\n", w, w, w); break;
		case STACK: C("static word_t *in_%c;\n#define %c (*in_%c)\n", w, w, w); break;
		}
	}
}

static void make_words(void)
{
	for (unsigned i = 0; i < words; i++)
		if (lies[i] == HEAP)
			C("\tin_%c = NEW(struct around_%c);\n", word(i), word(i));
		else if (lies[i] == STACK)
			C("\tword_t on_stack_%c;\n\tSTORE(on_stack_%c, 0, relaxed);\n\tin_%c = &on_stack_%c;\n", word(i), word(i), word(i), word(i));
}

static void declare_records(void)
{
	const char *kept = racy ? "volatile " : "";
	M("mutex l0;\n");
	C("MUTEX(l0);\n");
	if (two_locks) {
		M("mutex l1;\n");
		C("MUTEX(l1);\n");
	}
	if (has_pair) {
		M("plain p, q;\n");
		C("static %sstruct pair { int p, q; } pair;\n", kept);
	}
	if (has_bits) {
		M("plain u;\n");
		C("static %sstruct bits { unsigned low : 3, high : 5; } bits;\n", kept);
	}
	if (has_block) {
		M("shared h;\n");
		C("struct block { long before; word_t it; };\nstatic struct block *block;\n");
	}
	if (has_once) {
		M("once o;\n");
		C("ONCE(o);\nstatic void first(void) { STORE(x, 2, relaxed); }\n");
	}
}

/* ---------------------------------------------------------------- deeds */

static void store(void)
{
	static const char *const orders[] = { "release", "seq_cst" };
	char w = word(pick(words)), what[32];
	unsigned number = pick(3), order = pick(6);
	if (told && pick(2))
		snprintf(what, sizeof what, "r%u + %u", pick(told), number);
	else
		snprintf(what, sizeof what, "%u", number);
	if (order < 2)
		M("store(%c, %s, %s); ", w, what, orders[order]);
	else
		M("%c = %s; ", w, what);
	C("STORE(%c, %s, %s); ", w, what, order < 2 ? orders[order] : "relaxed");
}

static void load(void)
{
	char w = word(pick(words));
	M("r%u = %c; ", told, w);
	C("r%u = LOAD(%c); ", told, w);
	told++;
}

static void update(void)
{
	char w = word(pick(words));
	switch (pick(3)) {
	case 0: M("r%u = add(%c, 1); ", told, w); C("r%u = ADD(%c, 1); ", told, w); break;
	case 1: M("r%u = swap(%c, 2); ", told, w); C("r%u = SWAP(%c, 2); ", told, w); break;
	default: M("r%u = cas(%c, 1, 2); ", told, w); C("r%u = 1; CAS(%c, r%u, 2); ", told, w, told); break;
	}
	told++;
}

static void access_word(void)
{
	unsigned what = pick(10);
	if (what == 9) {
		bool release = pick(2);
		M("%s; ", release ? "fence(release)" : "fence");
		C("FENCE(%s); ", release ? "release" : "seq_cst");
	} else if (what < 4 || told == MOST_READ) {
		store();
	} else if (what < 7) {
		load();
	} else {
		update();
	}
}

/* Bit-fields are parts of one word: u is low + 8 * high. */
static void access_bits(void)
{
	unsigned number = pick(3);
	switch (told < MOST_READ ? pick(4) : 2 + pick(2)) {
	case 0: M("r%u = u; r%u = r%u %% 8; ", told, told, told); C("r%u = (int)bits.low; ", told); told++; break;
	case 1: M("r%u = u; r%u = r%u - r%u %% 8; ", told, told, told, told); C("r%u = (int)bits.high * 8; ", told); told++; break;
	case 2: M("t = u; u = t - t %% 8 + %u; ", number); C("bits.low = %u; ", number); break;
	default: M("t = u; u = t %% 8 + %u; ", number * 8); C("bits.high = %u; ", number); break;
	}
}

static void access_pair(void)
{
	unsigned number = pick(3), other = pick(3);
	char field = "pq"[pick(2)];
	switch (told < MOST_READ - 1 ? pick(4) : 2 + pick(2)) {
	case 0: M("r%u = %c; ", told, field); C("r%u = pair.%c; ", told, field); told++; break;
	case 1:
		M("r%u = p; r%u = q; ", told, told + 1);
		C("{ int both[2]; memcpy(both, (void *)&pair, whole); r%u = both[0]; r%u = both[1]; } ", told, told + 1);
		told += 2;
		break;
	case 2: M("%c = %u; ", field, number); C("pair.%c = %u; ", field, number); break;
	default:
		M("p = %u; q = %u; ", number, other);
		C("{ int both[2] = { %u, %u }; memcpy((void *)&pair, both, whole); } ", number, other);
		break;
	}
}

static void access_record(void)
{
	if (has_bits && (!has_pair || pick(2)))
		access_bits();
	else
		access_pair();
}

static void section(void)
{
	bool inner = two_locks && pick(2), first = pick(2);
	if (inner && first) {
		M("lock(l1); ");
		C("LOCK(l1); ");
	}
	M("lock(l0); ");
	C("LOCK(l0); ");
	access_record();
	if (inner && !first) {
		M("lock(l1); ");
		C("LOCK(l1); ");
		access_word();
		M("unlock(l1); ");
		C("UNLOCK(l1); ");
	} else if (pick(2)) {
		access_record();
	}
	M("unlock(l0); ");
	C("UNLOCK(l0); ");
	if (inner && first) {
		M("unlock(l1); ");
		C("UNLOCK(l1); ");
	}
}

static void tried(void)
{
	unsigned r = told++;
	M("r%u = trylock(l0); if (r%u == 1) { ", r, r);
	C("r%u = TRYLOCK(l0); if (r%u == 1) { ", r, r);
	access_record();
	M("unlock(l0); } ");
	C("UNLOCK(l0); } ");
}

static void tested(void)
{
	unsigned r = pick(told), number = pick(3), what = pick(8);
	M("if (r%u == %u) { ", r, number);
	C("if (r%u == %u) { ", r, number);
	if (what == 0) {
		unsigned status = 3 * pick(2);
		M("exit(%u); ", status);
		C("exit(%u); ", status);
	} else if (what < 3) {
		section();
	} else {
		access_word();
	}
	M("} ");
	C("} ");
}

static void use_block(void)
{
	if (told < MOST_READ && pick(2)) {
		M("r%u = h; ", told);
		C("r%u = LOAD(block->it); ", told);
		told++;
	} else {
		unsigned number = pick(3);
		M("h = %u; ", number);
		C("STORE(block->it, %u, relaxed); ", number);
	}
}

/* The last thing a thread does. */
static void free_block(void)
{
	bool if_told = told && pick(3);
	unsigned r = told ? pick(told) : 0;
	if (if_told) {
		M("if (r%u == 1) { ", r);
		C("if (r%u == 1) { ", r);
	}
	M("free(h); ");
	C("GONE(block); ");
	if (if_told) {
		M("} ");
		C("} ");
	}
}

static void deed(void)
{
	switch (pick(10)) {
	case 0: case 1: section(); break;
	case 2: if (told < MOST_READ) { tried(); break; } /* fall through */
	case 3: if (told) { tested(); break; } /* fall through */
	case 4: if (has_block) { use_block(); break; } /* fall through */
	case 5: if (has_once) { M("q_ = once(o) { x = 2; }; "); C("DO_ONCE(o, first); "); break; } /* fall through */
	case 6: if (racy) { access_record(); break; } /* fall through */
	default: access_word();
	}
}

static void thread(unsigned number, unsigned deeds, bool frees)
{
	told = 0;
	M("thread { ");
	C("THREAD(t%u)\n{\n\tint r0 = 0, r1 = 0, r2 = 0, r3 = 0, r4 = 0, r5 = 0, r6 = 0, r7 = 0;\n\t", number);
	for (unsigned i = 0; i < deeds; i++)
		deed();
	if (frees)
		free_block();
	M("}\n");
	C("KEEP(r0 + r1 + r2 + r3 + r4 + r5 + r6 + r7);\n\tEND_THREAD;\n}\n\n");
}

/* ---------------------------------------------------------------- main */

static unsigned left_over(void)
{
	unsigned n = 0;
	for (unsigned i = 0; i < words; i++, n++) {
		M("r%u = %c; ", n, word(i));
		C("\tint r%u = LOAD(%c);\n", n, word(i));
	}
	if (has_pair) {
		M("r%u = p; ", n);
		C("\tint r%u = pair.p;\n", n);
		n++;
	}
	if (has_bits) {
		M("r%u = u; ", n);
		C("\tint r%u = (int)(bits.low + 8 * bits.high);\n", n);
		n++;
	}
	return n;
}

static void main_body(unsigned threads)
{
	M("finally { ");
	C("int main(void)\n{\n\twhole = 8;\n");
	make_words();
	if (has_block)
		C("\tblock = NEW(struct block);\n");
	C("\tRUN(t0, t1%s);\n", threads > 2 ? ", t2" : "");
	unsigned n = left_over(), a = pick(n), b = pick(n), what = pick(3), other = pick(3);
	M("demand(!(r%u == %u && r%u == %u)); }\n", a, what, b, other);
	C("\tassert(!(r%u == %u && r%u == %u));\n", a, what, b, other);
	for (unsigned i = 0; i < n; i++)
		C("\t(void)r%u;\n", i);
	C("\treturn 0;\n}\n");
}

int main(int argc, char **argv)
{
	if (argc != 4 || !(model = fopen(argv[2], "w")) || !(source = fopen(argv[3], "w"))) {
		fputs("usage: varied SEED MODEL-FILE SOURCE-FILE\n", stderr);
		return 2;
	}
	uint64_t seed = strtoull(argv[1], NULL, 10);
	state = seed * 0x9e3779b97f4a7c15u + 1;
	pick(2);
	words = 1 + pick(2);
	racy = pick(6) == 0;
	has_bits = pick(2);
	has_pair = !has_bits || pick(2);
	has_block = pick(4) == 0;
	has_once = pick(4) == 0;
	two_locks = pick(3) == 0;
	C("#include \"varied.h\"\n\n");
	declare_words();
	declare_records();
	C("\n");
	unsigned threads = 2 + pick(2), frees = has_block ? pick(threads) : threads;
	for (unsigned i = 0; i < threads; i++)
		thread(i, threads == 2 ? 2 + pick(3) : 1 + pick(2), i == frees);
	main_body(threads);
	return fclose(model) || fclose(source);
}
