/* tests/model/commuting.c -- "same outcome" against brute force.
 *
 *   commuting FOLDER RADDLE FIRST COUNT
 * Random programs of two or three threads that update, read and write shared integers of several widths in one word, and a float, under
 * locks, by atomic operations or by nothing.  They are laid into one C file as cases of a switch, built by raddle cc and recorded; the
 * verdict of raddle determinism is held against all interleavings of the statements as written here, in steps of one access: where
 * those end in more than one state (memory, and what each thread kept of what it saw), it must not be `deterministic`.  Shares
 * nothing with order/ or model/.  The last line: "N passed, M failed"; how many of the programs with one end were called so, before it. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum { THREADS = 3, STATEMENTS = 3, LOCKS = 2, STEPS = 8, WORDS = 2 };
enum how { LOCKED, BARE, ATOMIC, HOW_COUNT };
enum op { ADD, SUB, MUL, XOR, AND, OR, SATURATE, PUT, READ, KEEP, FLOATS, OP_COUNT };  /* KEEP: adds, and keeps what it saw */

struct statement { int how, op, lock, word, offset, width, number; };
struct program { int threads, count[THREADS]; struct statement at[THREADS][STATEMENTS]; };
struct state {
	uint8_t pc[THREADS], step[THREADS], holder[LOCKS], spare;
	uint32_t word[WORDS], kept[THREADS], seen[THREADS];
	float sum;
};

static uint64_t seed;
static int draw(int below)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (int)(seed >> 33) % below;
}

static bool can_be_atomic(int op) { return op != MUL && op != SATURATE && op != FLOATS; }

static struct statement any_statement(int usual)
{
	struct statement s = { .how = draw(8) < 6 ? LOCKED : draw(2) ? ATOMIC : BARE, .lock = draw(5) ? 0 : 1, .word = draw(WORDS) };
	static const int widths[] = { 1, 2, 4 };
	s.op = draw(4) ? usual : draw(OP_COUNT);
	s.width = widths[draw(5) ? 2 : draw(3)];
	s.offset = s.width == 4 ? 0 : draw(4 / s.width) * s.width;
	s.number = 1 + draw(200);
	if (s.how == ATOMIC && !can_be_atomic(s.op))
		s.how = LOCKED;
	return s;
}

static struct program any_program(void)
{
	struct program p = { .threads = 2 + draw(2) };
	int usual = draw(OP_COUNT), atomic = !draw(4);
	for (int t = 0; t < p.threads; t++) {
		p.count[t] = 1 + draw(p.threads == 2 ? STATEMENTS : 2);
		for (int i = 0; i < p.count[t]; i++) {
			p.at[t][i] = any_statement(usual);
			if (atomic && can_be_atomic(p.at[t][i].op))
				p.at[t][i].how = ATOMIC;
		}
	}
	return p;
}

/* ---------------------------------------------------------------- as C */

static const char *type_of(const struct statement *s) { return s->width == 1 ? "uint8_t" : s->width == 2 ? "uint16_t" : "uint32_t"; }

static void write_statement(FILE *out, const struct statement *s, int thread)
{
	static const char *const signs[] = { "+", "-", "*", "^", "&", "|" };
	static const char *const names[] = { "add", "sub", "", "xor", "and", "or" };
	char x[80];
	snprintf(x, sizeof x, "*(%s%s *)((char *)&word[%d] + %d)", s->how == BARE ? "volatile " : "", type_of(s), s->word, s->offset);
	if (s->how == LOCKED)
		fprintf(out, "\tpthread_mutex_lock(&lock[%d]);\n", s->lock);
	if (s->op == FLOATS)
		fprintf(out, "\tsum += %d.1f;\n", s->number);
	else if (s->how == ATOMIC && s->op == READ)
		fprintf(out, "\tkept[%d] = kept[%d] * 31 + __atomic_load_n(&%s, __ATOMIC_SEQ_CST);\n", thread, thread, x);
	else if (s->how == ATOMIC && s->op == PUT)
		fprintf(out, "\t__atomic_store_n(&%s, %d, __ATOMIC_RELAXED);\n", x, s->number);
	else if (s->how == ATOMIC && s->op == KEEP)
		fprintf(out, "\tkept[%d] = kept[%d] * 31 + __atomic_fetch_add(&%s, %d, __ATOMIC_RELAXED);\n", thread, thread, x, s->number);
	else if (s->how == ATOMIC)
		fprintf(out, "\t__atomic_fetch_%s(&%s, %d, %s);\n", names[s->op], x, s->number, s->number & 1 ? "__ATOMIC_ACQ_REL" : "__ATOMIC_RELAXED");
	else if (s->op == SATURATE)
		fprintf(out, "\t%s = %s > 100 ? 255 : %s + %d;\n", x, x, x, s->number);
	else if (s->op == PUT)
		fprintf(out, "\t%s = %d;\n", x, s->number);
	else if (s->op == READ)
		fprintf(out, "\tkept[%d] = kept[%d] * 31 + %s;\n", thread, thread, x);
	else if (s->op == KEEP)
		fprintf(out, "\t{ uint32_t was = %s; %s = (%s)(was + %d); kept[%d] = kept[%d] * 31 + was; }\n", x, x, type_of(s), s->number, thread, thread);
	else
		fprintf(out, "\t%s = (%s)(%s %s %d);\n", x, type_of(s), x, signs[s->op], s->number);
	if (s->how == LOCKED)
		fprintf(out, "\tpthread_mutex_unlock(&lock[%d]);\n", s->lock);
}

static void write_program(FILE *out, const struct program *p, int number)
{
	for (int t = 0; t < p->threads; t++) {
		fprintf(out, "static void *p%d_%d(void *unused)\n{\n", number, t);
		for (int i = 0; i < p->count[t]; i++)
			write_statement(out, &p->at[t][i], t);
		fprintf(out, "\treturn unused;\n}\n");
	}
}

static void write_file(const char *path, const struct program *all, int count)
{
	FILE *out = fopen(path, "w");
	fprintf(out, "#include <pthread.h>\n#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
		"static pthread_mutex_t lock[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };\n"
		"static uint32_t word[2] = { 77, 1000 }, kept[3];\nstatic float sum = 0.3f;\n");
	for (int i = 0; i < count; i++)
		write_program(out, &all[i], i);
	fprintf(out, "int main(int argc, char **argv)\n{\n\tstatic void *(*const all[][3])(void *) = {\n");
	for (int i = 0; i < count; i++)
		fprintf(out, all[i].threads == 2 ? "\t\t{ p%d_0, p%d_1 },\n" : "\t\t{ p%d_0, p%d_1, p%d_2 },\n", i, i, i);
	fprintf(out, "\t};\n\tpthread_t id[3];\n\tint which = argc > 1 ? atoi(argv[1]) : 0, t = 0;\n"
		"\tfor (; t < 3 && all[which][t]; t++)\n\t\tpthread_create(&id[t], NULL, all[which][t], NULL);\n"
		"\twhile (t--)\n\t\tpthread_join(id[t], NULL);\n"
		"\tprintf(\"%%u %%u %%a %%u %%u %%u\\n\", word[0], word[1], (double)sum, kept[0], kept[1], kept[2]);\n\treturn 0;\n}\n");
	fclose(out);
}

/* ---------------------------------------------------------------- all interleavings */

static uint32_t take(const struct state *s, const struct statement *x)
{
	uint32_t got = 0;
	memcpy(&got, (const char *)&s->word[x->word] + x->offset, (size_t)x->width);
	return got;
}

static void put(struct state *s, const struct statement *x, uint32_t value)
{
	memcpy((char *)&s->word[x->word] + x->offset, &value, (size_t)x->width);
}

static uint32_t made_of(const struct statement *x, uint32_t was)
{
	uint32_t n = (uint32_t)x->number;
	switch (x->op) {
	case ADD: case KEEP: return was + n;
	case SUB: return was - n;
	case MUL: return was * n;
	case XOR: return was ^ n;
	case AND: return was & n;
	case OR:  return was | n;
	case SATURATE: return was > 100 ? 255 : was + n;
	default:  return n;
	}
}

static void keep(struct state *s, int t, uint32_t value) { s->kept[t] = s->kept[t] * 31 + value; }

/* One step of a statement without its lock: 0 reads, 1 writes; true: it is done. */
static bool half(struct state *s, int t, const struct statement *x, int step)
{
	if (x->op == FLOATS) {
		float was;
		if (step == 0) {
			memcpy(&s->seen[t], &s->sum, 4);
			return false;
		}
		memcpy(&was, &s->seen[t], 4);
		s->sum = was + (float)(x->number + 0.1);
		return true;
	}
	if (x->op == PUT) {
		put(s, x, (uint32_t)x->number);
		return true;
	}
	if (step == 0) {
		s->seen[t] = take(s, x);
		if (x->op == READ)
			keep(s, t, s->seen[t]);
		return x->op == READ;
	}
	put(s, x, made_of(x, s->seen[t]));
	if (x->op == KEEP)
		keep(s, t, s->seen[t]);
	return true;
}

static bool atomic_step(struct state *s, int t, const struct statement *x)
{
	return half(s, t, x, 0) || half(s, t, x, 1);
}

/* One step of thread t; false: it cannot make any. */
static bool step(const struct program *p, struct state *s, int t)
{
	if (s->pc[t] == p->count[t])
		return false;
	const struct statement *x = &p->at[t][s->pc[t]];
	bool done;
	if (x->how == ATOMIC) {
		done = atomic_step(s, t, x);
	} else if (x->how == BARE) {
		done = half(s, t, x, s->step[t]);
	} else if (s->step[t] == 0) {
		if (s->holder[x->lock])
			return false;
		s->holder[x->lock] = (uint8_t)(t + 1);
		done = false;
	} else if (s->step[t] == STEPS) {
		s->holder[x->lock] = 0;
		done = true;
	} else {
		if (half(s, t, x, s->step[t] - 1))
			s->step[t] = STEPS - 1;
		done = false;
	}
	s->step[t] = done ? 0 : (uint8_t)(s->step[t] + 1);
	s->pc[t] = (uint8_t)(s->pc[t] + done);
	if (done)
		s->seen[t] = 0;
	return true;
}

static struct state *met;
static size_t met_count, met_room;
static uint32_t *slots;
static size_t slot_room;

static bool is_new(const struct state *s)
{
	uint64_t hash = 1469598103934665603ull;
	for (size_t i = 0; i < sizeof *s; i++)
		hash = (hash ^ ((const uint8_t *)s)[i]) * 1099511628211ull;
	if (2 * met_count >= slot_room) {
		puts("too many states");
		exit(1);
	}
	size_t at = hash % slot_room;
	for (; slots[at]; at = (at + 1) % slot_room)
		if (!memcmp(&met[slots[at] - 1], s, sizeof *s))
			return false;
	if (met_count == met_room)
		met = realloc(met, (met_room = met_room ? 2 * met_room : 4096) * sizeof *met);
	met[met_count++] = *s;
	slots[at] = (uint32_t)met_count;
	return true;
}

/* How many different ends there are. */
static int ends_of(const struct program *p)
{
	struct state first;
	int ends = 0;
	memset(&first, 0, sizeof first);
	first.word[0] = 77;
	first.word[1] = 1000;
	first.sum = 0.3f;
	met_count = 0;
	memset(slots, 0, slot_room * sizeof *slots);
	is_new(&first);
	for (size_t i = 0; i < met_count; i++) {
		bool any = false;
		for (int t = 0; t < p->threads; t++) {
			struct state next = met[i];
			if (step(p, &next, t)) {
				any = true;
				is_new(&next);
			}
		}
		ends += !any;
	}
	return ends;
}

/* ---------------------------------------------------------------- */

static int run(const char *format, const char *folder, const char *raddle, int number)
{
	char command[1000];
	snprintf(command, sizeof command, format, folder, raddle, number);
	int got = system(command);
	return WIFEXITED(got) ? WEXITSTATUS(got) : -1;
}

int main(int argc, char **argv)
{
	if (argc != 5)
		return 2;
	int first = atoi(argv[3]), count = atoi(argv[4]), passed = 0, failed = 0, one = 0, called = 0;
	char path[500];
	struct program *all = calloc((size_t)count, sizeof *all);
	slot_room = 1u << 22;
	slots = malloc(slot_room * sizeof *slots);
	for (int i = 0; i < count; i++) {
		seed = 0x9e3779b97f4a7c15ull * (uint64_t)(first + i + 1);
		for (int k = 0; k < 8; k++)
			draw(2);
		all[i] = any_program();
	}
	snprintf(path, sizeof path, "%s/made.c", argv[1]);
	write_file(path, all, count);
	if (run("cd %s && %s cc -O%d -g -pthread made.c -o made", argv[1], argv[2], first / count % 3)) {
		puts("0 passed, 1 failed");
		return 1;
	}
	for (int i = 0; i < count; i++) {
		int ends = ends_of(&all[i]);
		if (run("cd %s && %s record -o made.trace -- ./made %d > /dev/null 2>&1", argv[1], argv[2], i)) {
			printf("program %d of %d: it could not be recorded\n", i, first);
			failed++;
			continue;
		}
		int said = run("cd %s && %s determinism made.trace > made.said 2>&1; # %d", argv[1], argv[2], i);
		bool right = said == 0 ? ends == 1 : said == 1 || said == 4;
		passed += right;
		failed += !right;
		one += ends == 1;
		called += ends == 1 && said == 0;
		if (!right)
			printf("program %d of %d: exit %d, and it has %d ends\n", i, first, said, ends);
	}
	printf("%d of %d programs with one end were called deterministic\n", called, one);
	printf("%d passed, %d failed\n", passed, failed);
	return failed != 0;
}
