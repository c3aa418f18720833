/* tests/check/made.c -- a small random program, in the language of the oracle and in C.
 *   made SEED MODEL-FILE C-FILE [large|libc]
 * Two or three threads of a few deeds on up to three words and two locks: stores, loads, updates, fences, sections, deeds behind a test of what was
 * read, waits and signals.  Every other program has a read-write lock, a semaphore, a barrier, a once, or locks that are tried or not waited
 * for for ever.  Locks are taken in any order, waits wait for whoever comes: deadlocks are welcome.
 * A large one has more deeds, up to four threads, loops that wait for what is written, loops that count, and assertions.
 * One of libc has mutexes of every kind, spin locks and all the rest at once, by paths that drain the store buffer and paths that do not. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_READ = 6 };

static uint64_t state;
static FILE *model, *c;
static unsigned words, locks, told;     /* told: registers that hold something */
static bool waits, large, libc;
static enum special { NOTHING, TRIES, TIMES, READ_WRITE, SEMAPHORE, BARRIER, ONCE, SPECIALS } special;

static unsigned pick(unsigned n)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(state >> 33) % n;
}

static char word(unsigned n) { return (char)('x' + n); }

static void store(void)
{
	static const char *const orders[] = { "release", "seq_cst" };
	char w = word(pick(words)), what[32];
	unsigned number = pick(3), order = pick(6);
	if (told && pick(2))
		snprintf(what, sizeof what, "r%u + %u", pick(told), number);
	else
		snprintf(what, sizeof what, "%u", number);
	if (order < 2) {
		fprintf(model, "store(%c, %s, %s); ", w, what, orders[order]);
		fprintf(c, "atomic_store_explicit(&%c, %s, memory_order_%s); ", w, what, orders[order]);
	} else {
		fprintf(model, "%c = %s; ", w, what);
		fprintf(c, "STORE(%c, %s); ", w, what);
	}
}

static void fence(void)
{
	bool release = pick(2);
	fputs(release ? "fence(release); " : "fence; ", model);
	fprintf(c, "atomic_thread_fence(memory_order_%s); ", release ? "release" : "seq_cst");
}

static void load(void)
{
	char w = word(pick(words));
	fprintf(model, "r%u = %c; ", told, w);
	fprintf(c, "r%u = LOAD(%c); ", told, w);
	told++;
}

static void update(void)
{
	char w = word(pick(words));
	switch (pick(3)) {
	case 0:
		fprintf(model, "r%u = add(%c, 1); ", told, w);
		fprintf(c, "r%u = atomic_fetch_add(&%c, 1); ", told, w);
		break;
	case 1:
		fprintf(model, "r%u = swap(%c, 2); ", told, w);
		fprintf(c, "r%u = atomic_exchange(&%c, 2); ", told, w);
		break;
	default:
		fprintf(model, "r%u = cas(%c, 1, 2); ", told, w);
		fprintf(c, "r%u = 1; atomic_compare_exchange_strong(&%c, &r%u, 2); ", told, w, told);
		break;
	}
	told++;
}

static void access_word(void)
{
	unsigned what = pick(11);
	if (what == 10)
		fence();
	else if (what < 4 || told == MOST_READ)
		store();
	else if (what < 8)
		load();
	else
		update();
}

static void tested(void)
{
	unsigned r = pick(told), number = pick(3);
	fprintf(model, "if (r%u == %u) { ", r, number);
	fprintf(c, "if (r%u == %u) { ", r, number);
	access_word();
	fputs("} ", model);
	fputs("} ", c);
}

static void condition(unsigned lock)
{
	static const char *const in_model[] = { "wait(k, l%u); ", "signal(k); ", "broadcast(k); " };
	static const char *const in_c[] = { "pthread_cond_wait(&k, &l%u); ", "pthread_cond_signal(&k); ", "pthread_cond_broadcast(&k); " };
	unsigned which = pick(3);
	if (which == 0 && special == TIMES) {
		fprintf(model, "q = timedwait(k, l%u); ", lock);
		fprintf(c, "pthread_cond_timedwait(&k, &l%u, &far); ", lock);
	} else if (which == 0) {
		fprintf(model, in_model[0], lock);
		fprintf(c, in_c[0], lock);
	} else {
		fputs(in_model[which], model);
		fputs(in_c[which], c);
	}
}

static void lock_or_not(const char *what, unsigned lock)
{
	fprintf(model, "%s(l%u); ", what, lock);
	fprintf(c, "pthread_mutex_%s(&l%u); ", what, lock);
}

/* What a call that may fail gives is a register; what is done if it did not: an access, and what is behind it. */
static void if_it_got(const char *in_model, const char *in_c, const char *model_end, const char *c_end)
{
	unsigned r = told++;
	fprintf(model, "r%u = %s; if (r%u == 1) { ", r, in_model, r);
	fprintf(c, "r%u = %s == 0; if (r%u == 1) { ", r, in_c, r);
	access_word();
	fprintf(model, "%s} ", model_end);
	fprintf(c, "%s} ", c_end);
}

static void around(const char *model_begin, const char *c_begin, const char *model_end, const char *c_end)
{
	fputs(model_begin, model);
	fputs(c_begin, c);
	access_word();
	fputs(model_end, model);
	fputs(c_end, c);
}

static void read_write(void)
{
	static const char *const ends[] = { "rwunlock(w); ", "pthread_rwlock_unlock(&w); " };
	switch (pick(4)) {
	case 0: around("rdlock(w); ", "pthread_rwlock_rdlock(&w); ", ends[0], ends[1]); break;
	case 1: around("wrlock(w); ", "pthread_rwlock_wrlock(&w); ", ends[0], ends[1]); break;
	case 2: if_it_got("tryrdlock(w)", "pthread_rwlock_tryrdlock(&w)", ends[0], ends[1]); break;
	default: if_it_got("trywrlock(w)", "pthread_rwlock_trywrlock(&w)", ends[0], ends[1]); break;
	}
}

static void semaphore(void)
{
	switch (pick(4)) {
	case 0: fputs("down(s); ", model); fputs("sem_wait(&s); ", c); break;
	case 1: if_it_got("trydown(s)", "sem_trywait(&s)", "", ""); break;
	case 2: if_it_got("timeddown(s)", "sem_timedwait(&s, &far)", "", ""); break;
	default: fputs("up(s); ", model); fputs("sem_post(&s); ", c); break;
	}
}

/* Taken again, refused, given back by who has it and by who has not. */
static void again(const char *lock)
{
	char text[64];
	static const char *const words[] = { "lock", "unlock" };
	for (unsigned i = 0, deeds = 2 + pick(3); i < deeds && told < MOST_READ; i++) {
		const char *what = words[i == 0 ? 0 : pick(2)];
		if (pick(3) == 0) {
			snprintf(text, sizeof text, "pthread_mutex_trylock(&%s)", lock);
			fprintf(model, "r%u = trylock(%s); ", told, lock);
			fprintf(c, "r%u = %s == 0; ", told++, text);
		} else {
			fprintf(model, "%s(%s); ", what, lock);
			fprintf(c, "pthread_mutex_%s(&%s); ", what, lock);
		}
		access_word();
	}
	for (int i = 0; i < 4; i++) {           /* however often it has it */
		fprintf(model, "unlock(%s); ", lock);
		fprintf(c, "pthread_mutex_unlock(&%s); ", lock);
	}
}

static void libc_deed(void)
{
	static const char *const ends[] = { "unlock(p); ", "pthread_spin_unlock(&p); " };
	switch (pick(12)) {
	case 0: case 1: case 2: around("lock(p); ", "pthread_spin_lock(&p); ", ends[0], ends[1]); break;
	case 3: if_it_got("trylock(p)", "pthread_spin_trylock(&p)", ends[0], ends[1]); break;
	case 4: again("n"); break;
	case 5: again("e"); break;
	case 6: fputs("signal(v); ", model); fputs("pthread_cond_signal(&v); ", c); break;
	case 7: fputs("broadcast(v); ", model); fputs("pthread_cond_broadcast(&v); ", c); break;
	case 8: if_it_got("trylock(l0)", "pthread_mutex_trylock(&l0)", "unlock(l0); ", "pthread_mutex_unlock(&l0); "); break;
	case 9: semaphore(); break;
	case 10: read_write(); break;
	default: fputs("q = once(o) { x = 2; }; ", model); fputs("pthread_once(&o, first); ", c); break;
	}
}

static void special_deed(void)
{
	if (libc) {
		libc_deed();
		return;
	}
	switch (special) {
	case TRIES: if_it_got("trylock(l0)", "pthread_mutex_trylock(&l0)", "unlock(l0); ", "pthread_mutex_unlock(&l0); "); break;
	case TIMES: if_it_got("timedlock(l0)", "pthread_mutex_timedlock(&l0, &far)", "unlock(l0); ", "pthread_mutex_unlock(&l0); "); break;
	case READ_WRITE: read_write(); break;
	case SEMAPHORE: semaphore(); break;
	case BARRIER: fputs("q = barrier(b); ", model); fputs("pthread_barrier_wait(&b); ", c); break;
	default: fputs("q = once(o) { x = 2; }; ", model); fputs("pthread_once(&o, first); ", c); break;
	}
}

static void section(void)
{
	unsigned outer = pick(locks);
	lock_or_not("lock", outer);
	access_word();
	if (waits && pick(2)) {
		condition(outer);
	} else if (locks == 2 && pick(2)) {
		lock_or_not("lock", 1 - outer);
		access_word();
		lock_or_not("unlock", 1 - outer);
	}
	lock_or_not("unlock", outer);
}

/* Waits until one word, or two, are as they should be; or until it has changed one itself. */
static void spin(void)
{
	char w = word(pick(words)), v = word(pick(words));
	unsigned r = told++, s, k = pick(3);
	bool until = pick(2);
	switch (told < MOST_READ ? pick(3) : pick(2)) {
	case 0:
		fprintf(model, "spin { r%u = %c; } while (r%u %s %u); ", r, w, r, until ? "!=" : "==", k);
		fprintf(c, "do { r%u = LOAD(%c); } while (r%u %s %u); ", r, w, r, until ? "!=" : "==", k);
		break;
	case 1:
		fprintf(model, "spin { r%u = cas(%c, %u, 2); } while (r%u != %u); ", r, w, k, r, k);
		fprintf(c, "do { r%u = %u; atomic_compare_exchange_strong(&%c, &r%u, 2); } while (r%u != %u); ", r, k, w, r, r, k);
		break;
	default:
		s = told++;
		fprintf(model, "spin { r%u = %c; r%u = %c; } while (r%u != r%u); ", r, w, s, v, r, s);
		fprintf(c, "do { r%u = LOAD(%c); r%u = LOAD(%c); } while (r%u != r%u); ", r, w, s, v, r, s);
		break;
	}
}

static void demand(void)
{
	unsigned r = pick(told), k = pick(3);
	fprintf(model, "demand(r%u != %u); ", r, k);
	fprintf(c, "assert(r%u != %u); ", r, k);
}

/* The same word twice, or more of it if it is there. */
static void count(void)
{
	char w = word(pick(words));
	fprintf(model, "loop 2 { r%u = %c; %c = r%u + 1; } ", told, w, w, told);
	fprintf(c, "for (int i = 0; i < 2; i++) { r%u = LOAD(%c); STORE(%c, r%u + 1); } ", told, w, w, told);
	told++;
}

static void large_deed(void)
{
	if (told == MOST_READ)
		store();
	else if (told && pick(3) == 0)
		demand();
	else if (pick(2))
		spin();
	else
		count();
}

/* Store buffering with calls of libc in between. */
static void buffering(unsigned number)
{
	char own = word(number % words), other = word((number + 1) % words);
	fprintf(model, "%c = 1; ", own);
	fprintf(c, "STORE(%c, 1); ", own);
	for (unsigned i = 1 + pick(2); i-- > 0 && told < MOST_READ;)
		libc_deed();
	fprintf(model, "r%u = %c; ", told, other);
	fprintf(c, "r%u = LOAD(%c); ", told++, other);
}

static void thread(unsigned number, unsigned deeds)
{
	told = 0;
	fputs("thread { ", model);
	fprintf(c, "THREAD(t%u)\n{\n\tint r0 = 0, r1 = 0, r2 = 0, r3 = 0, r4 = 0, r5 = 0, r6 = 0, r7 = 0, r8 = 0;\n\t", number);
	if (libc && pick(3))
		buffering(number), deeds = pick(2);
	for (unsigned i = 0; i < deeds && (!libc || told < MOST_READ); i++)
		switch (large && pick(4) == 0 ? 9 : libc && pick(2) && told < MOST_READ ? 6 : pick(special && told < MOST_READ ? 9 : 6)) {
		case 9: large_deed(); break;
		case 6: case 7: case 8: special_deed(); break;
		case 0: case 1: if (locks) { section(); break; } /* fall through */
		case 2: if (told) { tested(); break; } /* fall through */
		default: access_word();
		}
	fputs("}\n", model);
	fputs("(void)r0, (void)r1, (void)r2, (void)r3, (void)r4, (void)r5, (void)r6, (void)r7, (void)r8;\n\treturn me;\n}\n\n", c);
}

static void begin_special(enum special which)
{
	static const char *const in_model[SPECIALS] = { [READ_WRITE] = "rwlock w;\n", [SEMAPHORE] = "sem s = 1;\n", [BARRIER] = "barrier b = 2;\n",
		[ONCE] = "once o;\n" };
	static const char *const in_c[SPECIALS] = { [READ_WRITE] = "static pthread_rwlock_t w = PTHREAD_RWLOCK_INITIALIZER;\n",
		[SEMAPHORE] = "static sem_t s;\n", [BARRIER] = "static pthread_barrier_t b;\n",
		[ONCE] = "static pthread_once_t o = PTHREAD_ONCE_INIT;\nstatic void first(void) { STORE(x, 2); }\n" };
	fputs(in_model[which], model);
	fputs(in_c[which], c);
}

static void begin(void)
{
	words = 1 + pick(3);
	locks = pick(3);
	waits = locks && pick(3) == 0;
	special = libc ? SPECIALS : pick(2) ? (enum special)pick(SPECIALS) : NOTHING;
	if (libc)
		words = 2, locks = 1, waits = pick(4) == 0;
	locks += (special == TRIES || special == TIMES) && !locks;
	fputs("#define _GNU_SOURCE\n#include \"relaxed.h\"\n#include <assert.h>\n#include <semaphore.h>\n\n", c);
	for (unsigned i = 0; i < words; i++) {
		fprintf(model, "shared %c;\n", word(i));
		fprintf(c, "static atomic_int %c;\n", word(i));
	}
	for (unsigned i = 0; i < locks; i++) {
		fprintf(model, "mutex l%u;\n", i);
		fprintf(c, "static pthread_mutex_t l%u = PTHREAD_MUTEX_INITIALIZER;\n", i);
	}
	fputs("static const struct timespec far = { 4000000000, 0 };\n", c);
	for (enum special s = READ_WRITE; libc && s <= ONCE; s++)
		if (s != BARRIER)
			begin_special(s);
	if (libc) {
		fputs("recursive n;\nchecked e;\nspinlock p;\ncond v;\n", model);
		fputs("static pthread_mutex_t n = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP, e = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;\n"
			"static pthread_spinlock_t p;\nstatic pthread_cond_t v = PTHREAD_COND_INITIALIZER;\n", c);
	}
	if (special == READ_WRITE || special == SEMAPHORE || special == BARRIER || special == ONCE)
		begin_special(special);
	if (waits) {
		fputs("cond k;\n", model);
		fputs("static pthread_cond_t k = PTHREAD_COND_INITIALIZER;\n", c);
	}
}

int main(int argc, char **argv)
{
	large = argc == 5 && !strcmp(argv[4], "large");
	libc = argc == 5 && !strcmp(argv[4], "libc");
	if (argc != 4 + large + libc || !(model = fopen(argv[2], "w")) || !(c = fopen(argv[3], "w"))) {
		fputs("usage: made SEED MODEL-FILE C-FILE [large|libc]\n", stderr);
		return 2;
	}
	state = strtoull(argv[1], NULL, 10) * 0x9e3779b97f4a7c15u + 1;
	begin();
	unsigned threads = 2 + pick(large ? 3 : 2);
	for (unsigned i = 0; i < threads; i++)
		thread(i, (threads == 2 ? 2 + pick(3) : 1 + pick(3)) + (large && pick(2)));
	fputs("finally { ", model);
	fprintf(c, "int main(void)\n{\n%s", libc ? "\tsem_init(&s, 0, 1);\n\tpthread_spin_init(&p, 0);\n" : special == SEMAPHORE ? "\tsem_init(&s, 0, 1);\n" : special == BARRIER ? "\tpthread_barrier_init(&b, NULL, 2);\n" : "");
	fprintf(c, "\tRUN(t0, t1%s%s);\n", threads > 2 ? ", t2" : "", threads > 3 ? ", t3" : "");
	for (unsigned i = 0; i < words; i++) {
		fprintf(model, "r%u = %c; ", i, word(i));
		fprintf(c, "\tLOAD(%c);\n", word(i));
	}
	fputs("}\n", model);
	fputs("\treturn 0;\n}\n", c);
	return fclose(model) || fclose(c);
}
