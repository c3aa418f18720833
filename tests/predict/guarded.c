/* tests/predict/guarded.c -- makes up a small program of threads whose accesses lie behind questions about flags: ./guarded SEED > prog.c
 * Each statement has a line of its own, so that a race is told by its two lines.  tests/predict/guarded.sh says what it is for. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t state;
static bool semaphores;                         /* in every other program */

static unsigned draw(unsigned of)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (unsigned)((state >> 11) % of);
}

static void indent(unsigned depth)
{
	for (unsigned i = 0; i < depth; i++)
		putchar('\t');
}

static const char *const compare[] = { "==", "!=", ">", "<" };

/* One with two answers: of a flag that is looked at twice, or of what was kept of one. */
static void two_answers(void)
{
	char what[16];
	snprintf(what, sizeof what, draw(2) ? "f[%u]" : "kept", draw(3));
	printf("(%s %s %u %s %s %s %u)", what, compare[draw(4)], draw(3), draw(4) ? "||" : "&&", what, compare[draw(4)], draw(3));
}

/* A question about a flag, or two. */
static void question(void)
{
	if (draw(4) == 0) {
		two_answers();
		return;
	}
	const char *how = draw(4) ? "get" : "look";
	printf("(%s(&f[%u]) %s %u", how, draw(3), compare[draw(4)], draw(3));
	if (draw(4) == 0)
		printf(" %s get(&f[%u]) %s %u", draw(2) ? "&&" : "||", draw(3), compare[draw(4)], draw(3));
	putchar(')');
}

static void statements(unsigned depth, unsigned count);
static void statement(unsigned depth);

/* One side or the other of a hand-over: flag i says that x[i] is filled. */
static void hand_over(unsigned depth, unsigned i)
{
	bool gives = draw(2);
	indent(depth);
	if (gives)
		printf("x[%u] = %u;\n", i, draw(9));
	else
		printf("if (get(&f[%u]) %s)\n", i, draw(2) ? "== 1" : "> 0");
	indent(depth + !gives);
	if (gives)
		printf("set(&f[%u], 1);\n", i);
	else
		printf(draw(2) ? "sum += x[%u];\n" : "x[%u]++;\n", i);
}

/* A truth that is kept for later, or a switch. */
static void in_steps(unsigned depth)
{
	indent(depth);
	switch (draw(3)) {
	case 0:
		printf("kept = get(&f[%u]);\n", draw(3));
		break;
	case 1:
		printf("ok = ");
		question();
		printf(";\n");
		indent(depth);
		printf("kept = look(&f[%u]);\n", draw(3));
		indent(depth);
		printf("if (%sok) {\n", draw(3) ? "" : "!");
		statement(depth + 1);
		indent(depth);
		printf("}\n");
		break;
	default:
		printf("switch (%s) {\n", draw(2) ? "kept" : "get(&f[0])");
		indent(depth);
		printf("case %u: %s %s\n", draw(2), draw(2) ? "break;" : "", draw(2) ? "case 2:" : "case 3:");
		statement(depth + 1);
		indent(depth);
		printf("%s default: kept = 0;\n", draw(3) ? "break;" : "");
		indent(depth);
		printf("}\n");
	}
}

/* One side or the other of a hand-over by semaphore i, which may hang on an answer: then others come to x[i] without it. */
static void post_or_wait(unsigned depth, unsigned i)
{
	bool gives = draw(2), hangs = draw(2);
	indent(depth);
	if (gives) {
		printf("x[%u] = %u;\n", i, draw(9));
		indent(depth);
	}
	if (hangs) {
		printf("if (");
		question();
		printf(")\n");
		indent(depth + 1);
	}
	printf("sem_%s(&s[%u]);\n", gives ? "post" : "wait", i);
	if (!gives) {
		indent(depth);
		printf(draw(2) ? "sum += x[%u];\n" : "x[%u]++;\n", i);
	}
}

static void statement(unsigned depth)
{
	if (semaphores && draw(4) == 0) {
		post_or_wait(depth, draw(2));
		return;
	}
	if (draw(depth > 2 ? 12 : 5) == 0) {
		in_steps(depth);
		return;
	}
	if (draw(3) == 0) {
		hand_over(depth, draw(2));
		return;
	}
	indent(depth);
	switch (draw(depth > 2 ? 7 : 11)) {
	case 0: printf("set(&f[%u], %u);\n", draw(3), draw(3)); break;
	case 1: printf("add(&f[%u]);\n", draw(3)); break;
	case 2: printf("set(&f[%u], get(&f[%u]));\n", draw(3), draw(3)); break;
	case 3: case 4: printf("x[%u] = %u;\n", draw(2), draw(9)); break;
	case 5: printf("sum += x[%u];\n", draw(2)); break;
	case 6: printf("cells[%u] = draw_cell(%u);\n", draw(2), draw(3)); break;
	case 7: case 8:
		printf("if (");
		question();
		printf(") {\n");
		statements(depth + 1, 1 + draw(2));
		indent(depth);
		if (draw(3) == 0) {
			printf("} else {\n");
			statements(depth + 1, 1);
			indent(depth);
		}
		printf("}\n");
		break;
	case 9:
		printf("for (int i = 0; i < 3 && ");
		question();
		printf("; i++)\n");
		statement(depth + 1);
		break;
	default:
		printf("if (!(");
		question();
		printf("))\n");
		indent(depth + 1);
		printf("return unused;\n");
	}
}

static void statements(unsigned depth, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		statement(depth);
}

int main(int argc, char **argv)
{
	unsigned threads, i;
	state = 0x9e3779b97f4a7c15ull * (argc > 1 ? strtoull(argv[1], NULL, 10) + 1 : 1);
	for (i = 0; i < 8; i++)
		draw(2);
	threads = 2 + draw(2);
	semaphores = draw(2);
	puts("#include <pthread.h>\n#include <semaphore.h>\n#include <stdlib.h>\n"
		"static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;\n"
		"static sem_t s[2];\nstatic int f[3], x[2], keep[4];\nstatic int *cells[2] = { keep, keep + 1 };\n"
		"static void set(int *flag, int to) { pthread_mutex_lock(&lock); *flag = to; pthread_mutex_unlock(&lock); }\n"
		"static void add(int *flag) { pthread_mutex_lock(&lock); ++*flag; pthread_mutex_unlock(&lock); }\n"
		"static int get(int *flag) { pthread_mutex_lock(&lock); int is = *flag; pthread_mutex_unlock(&lock); return is; }\n"
		"static int look(int *flag) { return *flag; }\n"
		"static int *draw_cell(int i) { return i ? keep + i : NULL; }\n");
	for (i = 0; i < threads; i++) {
		printf("static void *thread_%u(void *unused)\n{\n\tint sum = 0, kept = 0, ok = 0;\n", i);
		statements(1, 2 + draw(3));
		puts("\tkeep[3] = 0;\n\tsem_post(&s[0]);\n\tsem_post(&s[1]);\n\treturn sum + kept + ok == 77 ? NULL : unused;\n}\n");
	}
	printf("int main(void)\n{\n\tpthread_t t[%u];\n\tsem_init(&s[0], 0, 0);\n\tsem_init(&s[1], 0, 0);\n", threads);
	for (i = 0; i < threads; i++)
		printf("\tpthread_create(&t[%u], NULL, thread_%u, NULL);\n", i, i);
	for (i = 0; i < threads; i++)
		printf("\tpthread_join(t[%u], NULL);\n", i);
	puts("\treturn 0;\n}");
	return 0;
}
