/* tests/epa/planted.c -- faults whose fate is known by construction: a program is made of small functions, each with one place where a fault is made
 * and one cause why nothing comes of it.  What the engine says is held against the cause the function was written for.
 *   planted <raddle-cc> <folder> <count> native|steered [seed]         exit 1 if one is told otherwise
 * The generator knows C, and that level full sees what stands in the source; it shares nothing with analyses/epa/fate.c. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analyses/epa/experiment.h"

static uint64_t state;

static unsigned draw(unsigned limit)
{
	state = state * 6364136223846793005ull + 1442695040888963407ull;
	return (unsigned)(state >> 33) % limit;
}

/* ---- the plants ---- */

/* Text with $N its number, $A a number, $B a bit; the fault, the site, the cause.  `p$N` is called once by the first thread, or `t$N` by the second.
 * NATIVE, STEERED: planted in such runs only. */
enum runs { BOTH, NATIVE, STEERED };
struct template { const char *text, *fault, *site, *cause; unsigned bit_from, bit_to; enum runs runs; };
static const struct template templates[] = {
	{ "int p$N(int a) { cell[$N] = a + $A; cell[$N] = a; return cell[$N]; }\n", "BitFlip:$B", "p$N#0", "overwritten", 0, 31, BOTH },
	{ "int p$N(int a) { cell[$N] = a + $A; memset(&cell[$N], 0, 4); return cell[$N]; }\n", "BitFlip:$B", "p$N#0", "overwritten", 0, 31, BOTH },
	{ "int p$N(int a) { short *s = (short *)&cell[$N]; cell[$N] = a + $A; s[0] = 1; s[1] = (short)a; return cell[$N]; }\n", "Value:0x55aa55aa",
		"p$N#0", "overwritten", 0, 0, BOTH },
	{ "int p$N(int a) { waste[$N] = a + $A; return a; }\n", "BitFlip:$B", "p$N#0", "dead", 0, 31, BOTH },
	{ "int p$N(int a) { int *m = malloc(8); *m = a + $A; free(m); return a; }\n", "BitFlip:$B", "p$N#1", "dead", 0, 31, BOTH },
	{ "int p$N(int a) { int v = a * $A; if (never) return v; return a; }\n", "BitFlip:$B", "p$N%0", "dead", 0, 31, BOTH },
	{ "int p$N(int a) { int v = cell[0]; if (never) return v; return a + $A; }\n", "BitFlip:$B", "p$N#0", "dead", 0, 31, BOTH },
	{ "__attribute__((noinline)) static int i$N(int x, int y) { (void)x; return y + $A; }\nint p$N(int a) { return i$N(a, a); }\n", "BitFlip:$B",
		"p$N%0.1", "dead", 0, 31, NATIVE },
	{ "int p$N(int a) { int v = a + $A; return v & 0xff; }\n", "BitFlip:$B", "p$N%0", "logically masked", 8, 31, BOTH },
	{ "int p$N(int a) { unsigned v = (unsigned)a + $Au; return (int)(v >> 16); }\n", "BitFlip:$B", "p$N%0", "logically masked", 0, 15, BOTH },
	{ "int p$N(int a) { int v = a + 1000000; return v > $A; }\n", "BitFlip:$B", "p$N%0", "logically masked", 0, 12, BOTH },
	{ "int p$N(int a) { int v = a + $A; return v * never; }\n", "BitFlip:$B", "p$N%0", "logically masked", 0, 31, BOTH },
	{ "int p$N(int a) { int v = a + $A; return (unsigned char)v; }\n", "BitFlip:$B", "p$N%0", "logically masked", 8, 31, BOTH },
	{ "int p$N(int a) { int v = cell[0]; return (v | 0xf) + a + $A; }\n", "BitFlip:$B", "p$N#0", "logically masked", 0, 3, BOTH },
	{ "__attribute__((noinline)) static int i$N(int x) { return x & 0x7; }\nint p$N(int a) { return i$N(a + $A); }\n", "BitFlip:$B", "p$N%1.1",
		"logically masked", 3, 31, NATIVE },
	{ "int p$N(int a) { return (a + $A) | 1; }\n", "StuckAt:0,1", "p$N%1", "never activated", 0, 0, BOTH },
	{ "int p$N(int a) { cell[$N] = a + $A; return cell[$N]; }\n", "BitFlip:$B", "p$N#0@2", "never activated", 0, 31, BOTH },
	{ "void t$N(int a) { other[$N] = a + $A; other[$N] = a; }\n", "BitFlip:$B", "T_0_0:t$N#0", "overwritten", 0, 31, BOTH },
	{ "void t$N(int a) { shared[$N] = a + $A; }\n", "BitFlip:$B", "T_0_0:t$N#0", "overwritten", 0, 31, BOTH },   /* by the first, when the second has ended */
	{ "void t$N(int a) { int v = a ^ $A; other[$N] = v & 1; }\n", "BitFlip:$B", "T_0_0:t$N%0", "logically masked", 1, 31, BOTH },
	/* Given to a caller nobody watches: no difference is a power of two, so a bit below the sign leaves each what it is, more or less than nothing. */
	{ "static int c$N(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }\n"
		"int p$N(int a) { int s[3] = { a + 35, a + 13, a }; qsort(s, 3, sizeof *s, c$N); return s[0] + $A; }\n", "BitFlip:$B", "c$N%2", "logically masked", 0, 30, BOTH },
	{ "static int c$N(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }\n"
		"__attribute__((noinline)) static int d$N(const void *a, const void *b) { cell[$N] = $A; return c$N(a, b); }\n"
		"int p$N(int a) { int s[3] = { a + 35, a + 13, a }; qsort(s, 3, sizeof *s, d$N); return s[0]; }\n", "BitFlip:$B", "d$N%1", "logically masked", 0, 30, BOTH },
	/* Given to a caller that is watched and has no use for it. */
	{ "__attribute__((noinline)) static int i$N(int x) { waste[$N] = x; return x * $A; }\nint p$N(int a) { i$N(a); return a; }\n", "BitFlip:$B", "i$N%1",
		"dead", 0, 31, BOTH },
	/* Handed to a library function that takes one byte of it. */
	{ "int p$N(int a) { char t[8]; snprintf(t, sizeof t, \"%c\", cell[0]); return t[0] + a + $A; }\n", "BitFlip:$B", "p$N#1", "logically masked", 8, 31, STEERED },
	{ "int p$N(int a) { int v = cell[0]; if (a == -$A) { char t[8]; snprintf(t, sizeof t, \"%c\", v); return t[0]; } return a; }\n", "BitFlip:$B", "p$N#0",
		"dead", 0, 31, STEERED },
	{ "__attribute__((noinline)) static int i$N(int x) { return cell[0] + (x & 1); }\nint p$N(int a) { return i$N(cell[0] + $A); }\n", "BitFlip:$B", "p$N%1",
		"logically masked", 1, 31, STEERED },
	{ "__attribute__((noinline)) static int i$N(int x, int y) { (void)x; waste[$N] = y; return y; }\nint p$N(int a) { return i$N(cell[0], $A) + a; }\n",
		"BitFlip:$B", "p$N#0", "dead", 0, 31, STEERED },
	/* Read by a library while it runs, or perhaps: nobody sees that, so nobody can say that it was not. */
	{ "int p$N(int a) { static struct sigaction s; s.sa_handler = SIG_IGN; s.sa_flags = 0; sigaction(SIGUSR1, &s, 0); return a + $A; }\n", "BitFlip:28", "p$N#1",
		"unexplained", 0, 0, BOTH },
	{ "int p$N(int a) { struct sigaction s; memset(&s, 0, sizeof s); s.sa_handler = SIG_IGN; s.sa_flags = 0; sigaction(SIGUSR1, &s, 0); return a + $A; }\n",
		"BitFlip:28", "p$N#2", "unexplained", 0, 0, BOTH },
	{ "int p$N(int a) { char *v[] = { \"x\", 0 }; opterr = 1; optind = 1; getopt(1, v, \"a\"); return a + $A; }\n", "BitFlip:$B", "p$N#2", "unexplained", 1, 30, BOTH },
	{ "int p$N(int a) { FILE *f = fopen(\"/dev/null\", \"w\"); setvbuf(f, rooms[$N], _IOFBF, 64); rooms[$N][9] = 1; fputs(\"x\", f); fclose(f); return a + $A; }\n",
		"BitFlip:$B", "p$N#2", "unexplained", 0, 7, BOTH },
	{ "int p$N(int a) { char m[4]; m[0] = 'r'; m[2] = 0; m[1] = 0; FILE *f = fopen(\"/dev/null\", m); fclose(f); return a + $A; }\n", "Value:98", "p$N#2",
		"unexplained", 0, 0, BOTH },
	{ "int p$N(int a) { strcpy(rooms[$N], \"K$N=1\"); putenv(rooms[$N]); rooms[$N][0] = 'L'; getenv(\"NONE\"); return a + $A; }\n", "BitFlip:1", "p$N#2",
		"unexplained", 0, 0, BOTH },
	{ "int p$N(int a) { static struct tm t; t.tm_year = 100; t.tm_isdst = 0; return a + $A + (int)mktime(&t); }\n", "BitFlip:31", "p$N#1",
		"unexplained", 0, 0, BOTH },
	{ "int p$N(int a) { static pthread_mutex_t m; m.__data.__spins = 0; pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return a + $A; }\n", "BitFlip:3", "p$N#0",
		"unexplained", 0, 0, BOTH },
	{ "struct k$N { int *inner; int n; };\nint p$N(int a) { static int deep[4]; static struct k$N k = { deep, 4 }; deep[1] = a; unseen(&k); deep[1] = 0; return a + $A; }\n",
		"BitFlip:$B", "p$N#0", "unexplained", 0, 31, BOTH },
	{ "int p$N(int a) { static char t[16], f[4]; f[0] = '%'; f[2] = 0; f[1] = 'd'; snprintf(t, 16, f, a); f[0] = 0; return t[0] + $A; }\n", "Value:0x69", "p$N#2",
		"unexplained", 0, 0, BOTH },
	{ "int p$N(int a) { static char f[4]; int n = 0; f[0] = '%'; f[2] = 0; f[1] = 'd'; sscanf(\"7\", f, &n); f[0] = 0; return n + a + $A; }\n", "Value:0x75", "p$N#3",
		"unexplained", 0, 0, BOTH },
	{ "int p$N(int a) { static jmp_buf j; if (!setjmp(j)) { ((long *)j)[8] = 0; longjmp(j, 1); } return a + $A; }\n", "BitFlip:33", "p$N#2",
		"unexplained", 0, 0, BOTH },
	{ "int p$N(int a) { static int c; int *q = &c; *q = 3; __asm__ volatile(\"testl %%eax, (%0)\" : : \"r\"(q) : \"memory\", \"cc\"); *q = 0; return a + $A; }\n", "BitFlip:8", "p$N#0",
		"unexplained", 0, 0, BOTH },
	/* Beside what libraries may look at, not in it. */
	{ "int p$N(int a) { static struct { pthread_mutex_t m; int n; } s; s.n = a + $A; pthread_mutex_lock(&s.m); pthread_mutex_unlock(&s.m); s.n = a; return s.n; }\n",
		"BitFlip:$B", "p$N#0", "overwritten", 0, 31, BOTH },
	{ "int p$N(int a) { char *v[] = { \"x\", 0 }; cell[$N] = a + $A; optind = 1; getopt(1, v, \"a\"); cell[$N] = a; return cell[$N]; }\n", "BitFlip:$B", "p$N#2",
		"overwritten", 0, 31, BOTH },
	{ "int p$N(int a) { int *m = malloc(8); *m = a + $A; unseen(&lent); free(m); return a; }\n", "BitFlip:$B", "p$N#1", "dead", 0, 31, BOTH },
	{ "int p$N(int a) { static char t[16]; t[12] = 3; snprintf(t, 8, \"%d\", a); return t[0] + $A; }\n", "BitFlip:$B", "p$N#0", "dead", 0, 7, BOTH },
	{ "int p$N(int a) { int m[4]; m[0] = a; unseen(m); m[1] = a + $A; return a; }\n", "BitFlip:$B", "p$N#3", "dead", 0, 31, NATIVE },
	{ "int p$N(int a) { static struct stat s; s.st_size = a + $A; stat(\"/\", &s); return a; }\n", "BitFlip:$B", "p$N#0", "overwritten", 0, 31, BOTH },
};
#define TEMPLATES (sizeof templates / sizeof *templates)

static const struct template *chosen[TEMPLATES];
static unsigned kinds;

static void choose(enum runs runs)
{
	for (size_t i = 0; i < TEMPLATES; i++)
		if (templates[i].runs == BOTH || templates[i].runs == runs)
			chosen[kinds++] = &templates[i];
}

struct plant { char fault[64], site[64]; const char *cause; const struct template *like; };

static void fill(char *into, size_t room, const char *from, unsigned number, unsigned other, unsigned bit)
{
	size_t at = 0;
	for (; *from && at + 16 < room; from++) {
		if (*from != '$') {
			into[at++] = *from;
			continue;
		}
		from++;
		at += (size_t)snprintf(into + at, room - at, "%u", *from == 'N' ? number : *from == 'A' ? other : bit);
	}
	into[at] = 0;
}

static void write_program(FILE *out, struct plant *all, unsigned count)
{
	char text[1024];
	fprintf(out, "#include <pthread.h>\n#include <setjmp.h>\n#include <signal.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
		"#include <sys/stat.h>\n#include <time.h>\n#include <unistd.h>\n"
		"int cell[%u], waste[%u], other[%u], shared[%u], never, lent;\nchar rooms[%u][64];\nvoid unseen(void *);\n", count + 1, count + 1, count + 1, count + 1, count + 1);
	for (unsigned i = 1; i <= count; i++) {
		struct plant *p = &all[i - 1];
		p->like = chosen[(i - 1) % kinds];
		p->cause = p->like->cause;
		unsigned bit = p->like->bit_from + draw(p->like->bit_to - p->like->bit_from + 1), a = 3 + draw(90);
		fill(text, sizeof text, p->like->text, i, a, bit);
		fprintf(out, "%s", text);
		fill(p->fault, sizeof p->fault, p->like->fault, i, a, bit);
		fill(p->site, sizeof p->site, p->like->site, i, a, bit);
	}
	fprintf(out, "static void *second(void *x)\n{\n");
	for (unsigned i = 1; i <= count; i++)
		if (strstr(all[i - 1].site, ":t"))
			fprintf(out, "\tt%u(%u);\n", i, i);
	fprintf(out, "\treturn x;\n}\nint main(void)\n{\n\tint sum = 0;\n\tpthread_t t;\n\tcell[0] = 48;\n");
	for (unsigned i = 1; i <= count; i++)
		if (!strstr(all[i - 1].site, ":t"))
			fprintf(out, "\tsum += p%u(%u);\n", i, i);
	fprintf(out, "\tpthread_create(&t, NULL, second, NULL);\n\tpthread_join(t, NULL);\n"
		"\tfor (int i = 0; i <= %u; i++) {\n\t\tshared[i] = i;\n\t\tsum += other[i] + shared[i];\n\t}\n\tprintf(\"%%d\\n\", sum);\n\treturn 0;\n}\n", count);
}

/* A library nobody watches. */
static bool make_library(char *path, size_t room)
{
	FILE *out = fopen("unseen.c", "w");
	int status = 1;
	if (!out || !getcwd(path, room - 16))
		return false;
	strcat(path, "/unseen.so");
	fprintf(out, "void unseen(void *p) { *(volatile int *)p; }\n");
	fclose(out);
	pid_t cc = fork();
	if (cc == 0) {
		execlp("cc", "cc", "-shared", "-fPIC", "unseen.c", "-o", "unseen.so", (char *)NULL);
		_exit(127);
	}
	waitpid(cc, &status, 0);
	return !status;
}

/* ---- what is told ---- */

static int try_one(struct golden_run *g, const struct campaign_config *c, const struct plant *p, unsigned number, bool in_full, struct result *r)
{
	struct experiment e = { .id = 10001 + number };         /* none of those that are held against a second run */
	int tell[2];
	snprintf(e.fault, sizeof e.fault, "%s", p->fault);
	snprintf(e.site, sizeof e.site, "%s", p->site);
	fflush(NULL);
	if (pipe(tell) < 0)
		return -1;
	pid_t pid = fork();
	if (pid == 0) {
		experiment_try(&e, c, g, NULL, in_full, r);
		_exit(write(tell[1], r, sizeof *r) == sizeof *r ? 0 : 1);
	}
	close(tell[1]);
	ssize_t got = read(tell[0], r, sizeof *r);
	close(tell[0]);
	waitpid(pid, NULL, 0);
	return got == sizeof *r ? 0 : -1;
}

int main(int argc, char **argv)
{
	unsigned count = argc > 3 ? (unsigned)atoi(argv[3]) : 0, wrong = 0, unsure = 0;
	struct err why = { .text = "" };
	char command[4096];
	bool steered = argc > 4 && !strcmp(argv[4], "steered");
	if (argc < 5 || (!steered && strcmp(argv[4], "native")) || count == 0 || count > 100000 || chdir(argv[2]) < 0)
		return fprintf(stderr, "usage: planted <raddle-cc> <folder> <count> native|steered [seed]\n"), 2;
	state = argc > 5 ? strtoull(argv[5], NULL, 10) : 1;
	choose(steered ? STEERED : NATIVE);
	struct plant *all = calloc(count, sizeof *all);
	FILE *out = fopen("planted.c", "w");
	write_program(out, all, count);
	fclose(out);
	if (!make_library(command, sizeof command))
		return fprintf(stderr, "cannot build a library\n"), 2;
	pid_t cc = fork();
	if (cc == 0) {
		execl(argv[1], argv[1], "--raddle=full", "-g", "-O1", "-pthread", "planted.c", command, "-o", "planted", (char *)NULL);
		_exit(127);
	}
	int status = 1;
	waitpid(cc, &status, 0);
	out = fopen("planted.ini", "w");
	fprintf(out, "[program]\ncommand = ./planted\n%s[faults]\ntypes = BitFlip\nruns = 1\n", steered ? "schedule = first\n" : "");
	fclose(out);
	struct campaign_config c;
	struct golden_run g;
	if (status || !getcwd(command, sizeof command - 16) || config_read(&c, "planted.ini", &why) < 0)
		return fprintf(stderr, "cannot build it: %s\n", why.text), 2;
	strcat(command, "/work");
	if (golden_run_make(&g, &c, command, &why) < 0)
		return fprintf(stderr, "cannot run it: %s\n", why.text), 2;
	unsigned of[TEMPLATES] = { 0 };
	for (unsigned i = 0; i < count; i++) {
		struct result r;
		bool told = try_one(&g, &c, &all[i], i, i % 10 == 9, &r) == 0 && !r.failed;
		bool masked = told && (r.outcome == BECAME_MASKED || r.outcome == BECAME_NOT_ACTIVATED);
		unsure += told && !r.quick && i % 10 != 9;
		if (masked && !strncmp(r.why, all[i].cause, strlen(all[i].cause)))
			continue;
		wrong++;
		if (of[i % kinds]++ < 3)
			printf("%s at %s: %s, not %s: %s", all[i].fault, all[i].site, !told ? r.why : masked ? r.why : became_words[r.outcome], all[i].cause,
				all[i].like->text);
	}
	printf("%u planted faults of %u kinds, %s, %u told otherwise\n", count, kinds, argv[4], wrong);
	if (unsure)
		fprintf(stderr, "%u compared in full\n", unsure);
	golden_run_release(&g);
	config_release(&c);
	free(all);
	return wrong ? 1 : 0;
}
