/* tests/models/litmus.c -- a program that is whatever litmus test its argument says (tests/models/shape.h has the notation), or if that
 * begins with '/', the text in that file.  It is mapped before raddle's runtime begins, and read behind the first event, a fence: one
 * process (steer_options.stays) makes all runs of all of them, since no run opens or maps anything.
 * Built with raddle: the accesses are functions of their own, each one visible event; what reads the notation is not seen
 * (no_sanitize).  Prints what each load got, in the order of the text, then memory as it is at the end, bytes in hexadecimal. */
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#define UNSEEN __attribute__((no_sanitize("thread"), noinline))
#define BYTES  8

typedef uint16_t any16 __attribute__((aligned(1), may_alias));
typedef uint32_t any32 __attribute__((aligned(1), may_alias));

struct op { char kind; unsigned at, size; uint32_t value, got; };

static unsigned char memory[BYTES] __attribute__((aligned(64)));
static struct op ops[8][16];
static unsigned counts[8], threads = 1;

#define APART static __attribute__((noinline))
#define SIZED(any, type, size) \
	APART void plain_store_##size(void *at, uint32_t v) { *(volatile any *)at = (any)v; } \
	APART uint32_t plain_load_##size(void *at) { return *(volatile any *)at; } \
	APART void release_store_##size(void *at, uint32_t v) { __atomic_store_n((type *)at, (type)v, __ATOMIC_RELEASE); } \
	APART void strong_store_##size(void *at, uint32_t v) { __atomic_store_n((type *)at, (type)v, __ATOMIC_SEQ_CST); } \
	APART uint32_t exchange_##size(void *at, uint32_t v) { return __atomic_exchange_n((type *)at, (type)v, __ATOMIC_RELAXED); }
SIZED(uint8_t, uint8_t, 1)
SIZED(any16, uint16_t, 2)
SIZED(any32, uint32_t, 4)

APART void fence(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
APART void release_fence(void) { __atomic_thread_fence(__ATOMIC_RELEASE); }

#define BY_SIZE(name, ...) (o->size == 1 ? name##_1(__VA_ARGS__) : o->size == 2 ? name##_2(__VA_ARGS__) : name##_4(__VA_ARGS__))

UNSEEN static void perform(struct op *o)
{
	void *at = memory + o->at;
	switch (o->kind) {
	case 'W': BY_SIZE(plain_store, at, o->value); break;
	case 'L': BY_SIZE(release_store, at, o->value); break;
	case 'S': BY_SIZE(strong_store, at, o->value); break;
	case 'R': o->got = BY_SIZE(plain_load, at); break;
	case 'X': o->got = BY_SIZE(exchange, at, o->value); break;
	case 'F': fence(); break;
	default:  release_fence(); break;
	}
}

UNSEEN static void *thread(void *number)
{
	unsigned t = (unsigned)(uintptr_t)number;
	for (unsigned i = 0; i < counts[t]; i++)
		perform(&ops[t][i]);
	return NULL;
}

UNSEEN static void parse(const char *text)
{
	uint32_t writes = 0;
	for (; *text; text++) {
		struct op *o = &ops[threads - 1][counts[threads - 1]];
		if (*text == '|')
			threads++;
		if (*text == '|' || *text == ' ')
			continue;
		counts[threads - 1]++;
		o->kind = *text;
		if (*text == 'F' || *text == 'f')
			continue;
		o->at = (unsigned)(text[1] - '0');
		o->size = (unsigned)(text[3] - '0');
		if (*text != 'R')
			o->value = ++writes * 0x01010101u;
		text += 3;
	}
}

UNSEEN static unsigned print(char *line)
{
	unsigned at = 0;
	for (unsigned t = 0; t < threads; t++)
		for (unsigned i = 0; i < counts[t]; i++)
			if (ops[t][i].kind == 'R' || ops[t][i].kind == 'X') {
				for (unsigned k = 0; k < ops[t][i].size; k++)
					line[at++] = (char)('0' + (ops[t][i].got >> 8 * k & 0xff));
				line[at++] = ' ';
			}
	for (unsigned k = 0; k < BYTES; k++)
		line[at++] = (char)('0' + memory[k]);
	line[at++] = '\n';
	return at;
}

static const char *text;

UNSEEN static long call(long number, long a, long b, long c, long d, long e, long f)
{
	register long d_ __asm__("r10") = d, e_ __asm__("r8") = e, f_ __asm__("r9") = f;
	__asm__ volatile("syscall" : "+a"(number) : "D"(a), "S"(b), "d"(c), "r"(d_), "r"(e_), "r"(f_) : "rcx", "r11", "memory");
	return number;
}

/* Before every constructor, the runtime's too: nobody watches. */
UNSEEN static void find_text(int argc, char **argv, char **environment)
{
	(void)environment;
	text = argc == 2 ? argv[1] : NULL;
	if (!text || *text != '/')
		return;
	long fd = call(SYS_openat, AT_FDCWD, (long)text, O_RDONLY, 0, 0, 0);
	long map = fd < 0 ? fd : call(SYS_mmap, 0, 4096, PROT_READ, MAP_SHARED, fd, 0);
	text = map < 0 ? NULL : (const char *)map;
	call(SYS_close, fd, 0, 0, 0, 0, 0);
}
__attribute__((section(".preinit_array"), used)) static void (*const before_all)(int, char **, char **) = find_text;

UNSEEN int main(void)
{
	pthread_t made[8];
	char line[256];
	fence();
	if (!text)
		return 2;
	parse(text);
	for (unsigned t = 0; t < threads; t++)
		pthread_create(&made[t], NULL, thread, (void *)(uintptr_t)t);
	for (unsigned t = 0; t < threads; t++)
		pthread_join(made[t], NULL);
	fwrite(line, 1, print(line), stdout);
	return 0;
}
