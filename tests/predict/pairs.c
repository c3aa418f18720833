/* tests/predict/pairs.c -- a small random program, and every pair of its lines that races in some order of its events.
 *   pairs SEED SOURCE-FILE           writes the program, prints the pairs: "12 30", the lower line first
 * Two to four threads read and write plain and atomic variables, an array by an index that was read, under locks that are chosen by a value, tried for, or
 * forgotten; after branches on what was read; in loops as long as a value says.  Some wait for semaphores or for a condition, some create other threads.
 * The oracle visits every state the program can come to: two threads whose next accesses are to the same memory, one a write and one plain, race.
 * Nothing here is raddle's. */
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 5, VARIABLES = 8, REGISTERS = 6, LOCKS = 3, CODE = 120, STATES = 1 << 21, LINES = 400 };
enum { PLAIN = 3, ARRAY = 3, READY = 5, ATOMIC = 6 };   /* variables 0-2 plain, 3-4 the array, 5 the condition's, 6-7 atomic */
enum { GENERAL = 3, OLD = 3, CHOSEN = 4, COUNTER = 5 }; /* registers 0-2 general; what is incremented; number of a lock; of a loop */

enum kind { LOAD, STORE, SUM, LOAD_AT, STORE_AT, LOCK, LOCK_AT, UNLOCK, UNLOCK_AT, TRY, POST, TAKE, TRY_TAKE, CREATE, JOIN, UNLESS, UNLESS_LESS, GOTO, SET, CHOOSE, STEP,
	SLEEP, WOKEN, WAKE_ALL, END };
struct step { enum kind kind; uint8_t what, a, b; uint16_t line, to; };
static struct step code[THREADS][CODE];
static unsigned length[THREADS], runs_code_of[THREADS], threads;

static uint64_t random_state;
static FILE *source;
static unsigned line = 1, depth, writing, held; /* writing: whose code; held: locks below this one may not be taken, so that nobody deadlocks by them */
static bool has_condition, has_semaphore, has_choice, has_child;

static unsigned pick(unsigned n)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(random_state >> 33) % n;
}

__attribute__((format(printf, 1, 2))) static void put(const char *form, ...)
{
	va_list rest;
	for (unsigned i = 0; i < depth; i++)
		fputc('\t', source);
	va_start(rest, form);
	vfprintf(source, form, rest);
	va_end(rest);
	fputc('\n', source);
	line++;
}

static unsigned add(enum kind kind, unsigned what, unsigned a, unsigned b)
{
	unsigned at = length[writing]++;
	if (at >= CODE)
		abort();
	code[writing][at] = (struct step){ kind, (uint8_t)what, (uint8_t)a, (uint8_t)b, (uint16_t)line, 0 };
	return at;
}

static void jump_here(unsigned from) { code[writing][from].to = (uint16_t)length[writing]; }

/* ---------------------------------------------------------------- the program */

static const char *const names[VARIABLES] = { "x", "y", "z", "a[0]", "a[1]", "ready", "f", "g" };

static void statement(void);

static void block(unsigned least, unsigned most)
{
	depth++;
	for (unsigned i = least + pick(most - least + 1); i; i--)
		statement();
	depth--;
}

static void plain(void)
{
	unsigned v = pick(PLAIN), r = pick(GENERAL), n = pick(3);
	switch (pick(5)) {
	case 0: add(STORE, v, n, 0); put("%s = %u;", names[v], n); break;
	case 1: add(SUM, v, r, n); put("%s = (r%u + %u) & 3;", names[v], r, n); break;
	case 2: add(LOAD, v, OLD, 0); add(SUM, v, OLD, 1); put("%s = (%s + 1) & 3;", names[v], names[v]); break;
	default: add(LOAD, v, r, 0); put("r%u = %s;", r, names[v]); break;
	}
}

static void atomic(void)
{
	unsigned v = ATOMIC + pick(2), r = pick(GENERAL), n = pick(3);
	if (pick(2)) {
		add(STORE, v, n, 0);
		put("atomic_store(&%s, %u);", names[v], n);
	} else {
		add(LOAD, v, r, 0);
		put("r%u = atomic_load(&%s);", r, names[v]);
	}
}

static void indexed(void)
{
	unsigned i = pick(GENERAL), r = pick(GENERAL), n = pick(3);
	if (pick(2)) {
		add(STORE_AT, ARRAY, i, n);
		put("a[r%u & 1] = %u;", i, n);
	} else {
		add(LOAD_AT, ARRAY, i, r);
		put("r%u = a[r%u & 1];", r, i);
	}
}

/* Mostly on what was just read. */
static unsigned decided_by(void)
{
	unsigned r = pick(GENERAL), v = pick(PLAIN);
	switch (pick(4)) {
	case 0: break;
	case 1: add(LOAD, v, r, 0); put("r%u = %s;", r, names[v]); break;
	default: v = ATOMIC + v % 2; add(LOAD, v, r, 0); put("r%u = atomic_load(&%s);", r, names[v]);
	}
	return r;
}

static void locked(unsigned m)
{
	add(LOCK, m, 0, 0);
	put("pthread_mutex_lock(&l[%u]);", m);
	block(1, 3);
	add(UNLOCK, m, 0, 0);
	put("pthread_mutex_unlock(&l[%u]);", m);
}

static void tried(unsigned m)
{
	unsigned from = add(TRY, m, 0, 0);
	put("if (pthread_mutex_trylock(&l[%u]) == 0) {", m);
	block(1, 2);
	depth++;
	add(UNLOCK, m, 0, 0);
	put("pthread_mutex_unlock(&l[%u]);", m);
	depth--;
	jump_here(from);
	put("}");
}

static void locked_by_value(void)
{
	unsigned r = decided_by();
	add(CHOOSE, CHOSEN, r, 0);
	put("k = r%u & 1;", r);
	add(LOCK_AT, 0, CHOSEN, 0);
	put("pthread_mutex_lock(&l[k]);");
	block(1, 2);
	add(UNLOCK_AT, 0, CHOSEN, 0);
	put("pthread_mutex_unlock(&l[k]);");
}

static void section(void)
{
	unsigned was = held, m = held + pick(2);
	if (m >= LOCKS) {
		plain();
		return;
	}
	held = m + 1;
	if (has_choice && !was && pick(2)) {
		held = LOCKS;
		locked_by_value();
	} else if (pick(4) == 0) {
		tried(m);
	} else {
		locked(m);
	}
	held = was;
}

static void branch(void)
{
	unsigned r = decided_by(), n = pick(3), from = add(UNLESS, 0, r, n);
	put("if (r%u == %u) {", r, n);
	block(1, 2);
	if (pick(3) == 0) {
		unsigned over = add(GOTO, 0, 0, 0);
		jump_here(from);
		put("} else {");
		block(1, 2);
		from = over;
	}
	jump_here(from);
	put("}");
}

static bool in_loop;
static void loop(void)
{
	unsigned r = decided_by();
	in_loop = true;
	add(SET, COUNTER, 0, 0);
	unsigned from = add(UNLESS_LESS, COUNTER, r, 0);
	put("for (i = 0; i < r%u; i++) {", r);
	depth++;
	plain();
	depth--;
	add(STEP, COUNTER, 0, 0);
	code[writing][add(GOTO, 0, 0, 0)].to = (uint16_t)from;
	jump_here(from);
	put("}");
	in_loop = false;
}

static void semaphore(void)
{
	unsigned from;
	switch (pick(3)) {
	case 0: add(POST, 0, 0, 0); put("sem_post(&s);"); break;
	case 1:
		if (!held) {
			add(TAKE, 0, 0, 0);
			put("sem_wait(&s);");
			break;
		}       /* fall through */
	default:
		from = add(TRY_TAKE, 0, 0, 0);
		put("if (sem_trywait(&s) == 0) {");
		block(1, 2);
		jump_here(from);
		put("}");
	}
}

/* Somebody says so, under the lock; whoever waits does so in a loop. */
static void condition(void)
{
	add(LOCK, 0, 0, 0);
	put("pthread_mutex_lock(&l[0]);");
	if (pick(2)) {
		add(STORE, READY, 1, 0);
		put("ready = 1;");
		add(WAKE_ALL, 0, 0, 0);
		put("pthread_cond_broadcast(&c);");
	} else {
		unsigned again = add(LOAD, READY, OLD, 0), from = add(UNLESS, 0, OLD, 0);
		put("while (ready == 0)");
		add(SLEEP, 0, 0, 0);
		add(WOKEN, 0, 0, 0);
		depth++;
		put("pthread_cond_wait(&c, &l[0]);");
		depth--;
		code[writing][add(GOTO, 0, 0, 0)].to = (uint16_t)again;
		jump_here(from);
	}
	add(UNLOCK, 0, 0, 0);
	put("pthread_mutex_unlock(&l[0]);");
}

static void statement(void)
{
	if (depth > 3) {
		plain();
		return;
	}
	switch (pick(12)) {
	case 0: case 1: section(); break;
	case 2: case 3: branch(); break;
	case 4: if (!in_loop) { loop(); break; } /* fall through */
	case 5: if (has_semaphore) { semaphore(); break; } /* fall through */
	case 6: if (has_condition && !held) { condition(); break; } /* fall through */
	case 7: if (has_choice) { indexed(); break; } /* fall through */
	case 8: atomic(); break;
	default: plain();
	}
}

static void create(unsigned t)
{
	add(CREATE, t, 0, 0);
	put("pthread_create(&t%u, NULL, thread_%u, NULL);", t, runs_code_of[t]);
}

static void join(unsigned t)
{
	add(JOIN, t, 0, 0);
	put("pthread_join(t%u, NULL);", t);
}

static void begin_function(const char *head, unsigned t)
{
	writing = t;
	put("%s", head);
	put("{");
	depth = 1;
	put("int r0 = 0, r1 = 0, r2 = 0, k = 0, i = 0;");
	depth = 0;
}

static void end_function(const char *returned)
{
	depth = 1;
	put("(void)r0, (void)r1, (void)r2, (void)k, (void)i;");
	put("return %s;", returned);
	depth = 0;
	put("}");
	add(END, 0, 0, 0);
}

static void thread(unsigned t)
{
	char head[60];
	snprintf(head, sizeof head, "static void *thread_%u(void *p)", t);
	begin_function(head, t);
	block(threads == 2 ? 3 : 2, threads == 2 ? 6 : 4);
	if (has_child && t == 1) {
		unsigned from = add(UNLESS, 0, 0, 1);
		depth = 1;
		put("if (r0 == 1) {");
		depth = 2;
		create(4);
		plain();
		join(4);
		depth = 1;
		jump_here(from);
		put("}");
		depth = 0;
	}
	end_function("p");
}

static void main_thread(void)
{
	begin_function("int main(void)", 0);
	depth = 1;
	if (has_semaphore)
		put("sem_init(&s, 0, 0);");
	for (unsigned t = 1; t <= threads; t++) {
		create(t);
		if (pick(4) == 0)
			plain();
	}
	for (unsigned t = 1; t <= threads; t++) {
		join(t);
		if (pick(4) == 0)
			plain();
	}
	depth = 0;
	end_function("0");
}

static void program(void)
{
	put("#include <pthread.h>");
	put("#include <semaphore.h>");
	put("#include <stdatomic.h>");
	put("#include <stddef.h>");
	put("static volatile int x, y, z, a[2], ready;");
	put("static atomic_int f, g;");
	put("static pthread_mutex_t l[] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };");
	put("static pthread_cond_t c = PTHREAD_COND_INITIALIZER;");
	put("static sem_t s;");
	put("static pthread_t t1, t2, t3, t4;");
	for (unsigned t = THREADS - 1; t > 0; t--)
		if (runs_code_of[t] == t && (t <= threads || (t == 4 && has_child)))
			thread(t);
	main_thread();
}

static void choose_shape(uint64_t seed)
{
	random_state = seed * 0x9e3779b97f4a7c15u + 1;
	pick(2);
	threads = 2 + pick(2);
	has_condition = pick(4) == 0;
	has_semaphore = pick(4) == 0;
	has_choice = pick(3) == 0;
	has_child = threads == 2 && pick(3) == 0;
	for (unsigned t = 0; t < THREADS; t++)
		runs_code_of[t] = t > 1 && t <= threads && pick(5) == 0 && !has_child ? 1 : t;
}

/* ---------------------------------------------------------------- the oracle */

/* who: which threads exist, have ended, sleep at the condition. */
struct state { uint8_t pc[THREADS], r[THREADS][REGISTERS], v[VARIABLES], owner[LOCKS], exist, ended, asleep, count; };
static struct state *states;
static uint32_t *table, state_count;
static bool races[LINES][LINES];

static void visit(const struct state *s)
{
	uint64_t h = 1469598103934665603u;
	for (size_t i = 0; i < sizeof *s; i++)
		h = (h ^ ((const uint8_t *)s)[i]) * 1099511628211u;
	for (h = (h ^ h >> 32) % (2 * STATES); table[h]; h = (h + 1) % (2 * STATES))
		if (!memcmp(&states[table[h] - 1], s, sizeof *s))
			return;
	if (state_count == STATES) {
		fputs("too many states\n", stderr);
		exit(3);
	}
	states[state_count++] = *s;
	table[h] = state_count;
}

static const struct step *next_of(const struct state *s, unsigned t) { return &code[runs_code_of[t]][s->pc[t]]; }

/* The memory a step touches, or VARIABLES. */
static unsigned touched(const struct state *s, unsigned t)
{
	const struct step *i = next_of(s, t);
	switch (i->kind) {
	case LOAD: case STORE: case SUM: return i->what;
	case LOAD_AT: case STORE_AT: return i->what + (s->r[t][i->a] & 1);
	default: return VARIABLES;
	}
}

static bool writes(const struct step *i) { return i->kind == STORE || i->kind == SUM || i->kind == STORE_AT; }

static bool runs(const struct state *s, unsigned t) { return (s->exist & ~s->ended) >> t & 1; }

static void note_races(const struct state *s)
{
	for (unsigned t = 0; t < THREADS; t++)
		for (unsigned u = t + 1; u < THREADS; u++) {
			if (!runs(s, t) || !runs(s, u) || touched(s, t) == VARIABLES || touched(s, t) != touched(s, u) || touched(s, t) >= ATOMIC)
				continue;
			const struct step *i = next_of(s, t), *k = next_of(s, u);
			if (writes(i) || writes(k))
				races[i->line < k->line ? i->line : k->line][i->line < k->line ? k->line : i->line] = true;
		}
}

static bool enabled(const struct state *s, unsigned t)
{
	const struct step *i = next_of(s, t);
	if (!runs(s, t))
		return false;
	switch (i->kind) {
	case LOCK: return !s->owner[i->what];
	case LOCK_AT: return !s->owner[s->r[t][i->a]];
	case WOKEN: return !(s->asleep >> t & 1) && !s->owner[i->what];
	case TAKE: return s->count > 0;
	case JOIN: return s->ended >> i->what & 1;
	default: return true;
	}
}

static void take_step(struct state *s, unsigned t)
{
	const struct step *i = next_of(s, t);
	uint8_t *r = s->r[t], *v = &s->v[touched(s, t) % VARIABLES];
	bool go = false;
	switch (i->kind) {
	case LOAD: r[i->a] = *v; break;
	case LOAD_AT: r[i->b] = *v; break;
	case STORE: *v = i->a; break;
	case STORE_AT: *v = i->b; break;
	case SUM: *v = (r[i->a] + i->b) & 3; break;
	case LOCK: case WOKEN: s->owner[i->what] = (uint8_t)(t + 1); break;
	case LOCK_AT: s->owner[r[i->a]] = (uint8_t)(t + 1); break;
	case UNLOCK: s->owner[i->what] = 0; break;
	case UNLOCK_AT: s->owner[r[i->a]] = 0; break;
	case TRY: go = s->owner[i->what]; if (!go) s->owner[i->what] = (uint8_t)(t + 1); break;
	case POST: s->count++; break;
	case TAKE: s->count--; break;
	case TRY_TAKE: go = !s->count; s->count -= !go; break;
	case CREATE: s->exist |= (uint8_t)(1u << i->what); break;
	case UNLESS: go = r[i->a] != i->b; break;
	case UNLESS_LESS: go = r[i->what] >= r[i->a]; break;
	case GOTO: go = true; break;
	case SET: r[i->what] = i->a; break;
	case CHOOSE: r[i->what] = r[i->a] & 1; break;
	case STEP: r[i->what]++; break;
	case SLEEP: s->owner[i->what] = 0; s->asleep |= (uint8_t)(1u << t); break;
	case WAKE_ALL: s->asleep = 0; break;
	case END: s->ended |= (uint8_t)(1u << t); return;
	case JOIN: break;
	}
	s->pc[t] = (uint8_t)(go ? i->to : s->pc[t] + 1u);
}

/* What no other thread can see is no state of its own. */
static void settle(struct state *s, unsigned t)
{
	for (enum kind k; runs(s, t) && ((k = next_of(s, t)->kind) == UNLESS || k == UNLESS_LESS || k == GOTO || k == SET || k == CHOOSE || k == STEP || k == END); )
		take_step(s, t);
}

static void explore(void)
{
	struct state first = { .exist = 1 };
	states = malloc(STATES * sizeof *states);
	table = calloc(2 * STATES, sizeof *table);
	if (!states || !table)
		abort();
	settle(&first, 0);
	visit(&first);
	for (uint32_t n = 0; n < state_count; n++) {
		note_races(&states[n]);
		for (unsigned t = 0; t < THREADS; t++)
			if (enabled(&states[n], t)) {
				struct state s = states[n];
				unsigned made = next_of(&s, t)->kind == CREATE ? next_of(&s, t)->what : t;
				take_step(&s, t);
				settle(&s, t);
				settle(&s, made);
				if (s.ended & 1)
					continue;
				visit(&s);
			}
	}
}

int main(int argc, char **argv)
{
	if (argc != 3 || !(source = fopen(argv[2], "w"))) {
		fputs("usage: pairs SEED SOURCE-FILE\n", stderr);
		return 2;
	}
	choose_shape(strtoull(argv[1], NULL, 10));
	program();
	explore();
	for (unsigned i = 0; i < LINES; i++)
		for (unsigned k = i; k < LINES; k++)
			if (races[i][k])
				printf("%u %u\n", i, k);
	return fclose(source);
}
