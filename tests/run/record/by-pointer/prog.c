/* Library functions that write, called through pointers: what they wrote is read later. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void *copier(void *, const void *, size_t);

struct tools {
	copier *copy;
	char *(*join)(char *, const char *);
	void *(*fill)(void *, int, size_t);
	int (*say)(char *, size_t, const char *, ...);
	long (*number)(const char *, char **, int);
	void (*sort)(void *, size_t, size_t, int (*)(const void *, const void *));
};

struct tools tools = { memcpy, strcat, memset, snprintf, strtol, qsort };
copier *by_kind[] = { memmove, mempcpy };
char box[64], from[64] = "17 seventeen";
int numbers[4] = { 3, 1, 2, 0 };
volatile int sum;

static int by_value(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static void give(copier *c, size_t bytes) { c(box, from, bytes); }
static void *jump(copier *c) { return c(box, from, 5); }        /* may be a jump: it returns to the caller */

static void add(void)
{
	for (int i = 0; i < 4; i++)
		sum += box[4 * i] + numbers[i];
}

int main(void)
{
	char *end;
	copier *found = (copier *)dlsym(RTLD_DEFAULT, "memcpy");
	tools.fill(box, 1, sizeof box);
	add();
	tools.copy(box, from, sizeof from);
	add();
	tools.join(box, ", eighteen");
	add();
	tools.say(box, sizeof box, "%d and more", sum);
	add();
	sum += (int)tools.number(box, &end, 10) + *end;
	tools.sort(numbers, 4, sizeof *numbers, by_value);
	for (int i = 0; i < 2; i++) {
		give(by_kind[i], 13);
		add();
	}
	jump(found ? found : memcpy);           /* a static program finds none */
	add();
	return 0;
}
