/* Mappings that grow, move, shrink and are shown twice: none may lie on another, and each keeps what it holds.
 * What is printed is what the system says of the same program without raddle. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096, MOST = 64 };

static struct block { char *at; size_t bytes; char mark; } blocks[MOST];
static int count;

static char *plain(size_t bytes, int flags)
{
	char *p = mmap(0, bytes, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0);
	return p == MAP_FAILED ? NULL : p;
}

static void keep(char *at, size_t bytes)
{
	char mark = (char)(count + 1);
	for (size_t i = 0; i < bytes; i += PAGE)
		at[i] = mark;
	at[bytes - 1] = mark;
	blocks[count++] = (struct block){ at, bytes, mark };
}

static int wrong(void)
{
	int n = 0;
	for (int b = 0; b < count; b++) {
		for (size_t i = 0; i < blocks[b].bytes; i += PAGE)
			n += blocks[b].at[i] != blocks[b].mark;
		n += blocks[b].at[blocks[b].bytes - 1] != blocks[b].mark;
	}
	return n;
}

static struct block *make(size_t bytes)
{
	keep(plain(bytes, MAP_PRIVATE), bytes);
	return &blocks[count - 1];
}

static void resize(struct block *b, size_t bytes)
{
	char *at = mremap(b->at, b->bytes, bytes, MREMAP_MAYMOVE);
	if (at == MAP_FAILED) {
		printf("cannot resize: %s\n", strerror(errno));
		return;
	}
	for (size_t i = b->bytes; i < bytes; i += PAGE)
		at[i] = b->mark;
	*b = (struct block){ at, bytes, b->mark };
	at[bytes - 1] = b->mark;
}

/* The last one grows where it is; the next that moves, and the next that is made, must not lie in it. */
static void grow(void)
{
	struct block *first = make(2 * PAGE), *last = make(2 * PAGE);
	resize(last, 16 * PAGE);
	resize(first, 16 * PAGE);
	make(2 * PAGE);
	resize(last, 600 * PAGE);
	resize(first, 40 * PAGE);
	make(8 * PAGE);
	printf("grown: %d wrong\n", wrong());
}

static void shrink(void)
{
	struct block *b = make(16 * PAGE);
	char *at = mremap(b->at, b->bytes, 4 * PAGE, MREMAP_MAYMOVE);
	printf("shrunk in place %d\n", at == b->at);
	b->bytes = 4 * PAGE;
	b->at[b->bytes - 1] = b->mark;
	make(4 * PAGE);
	resize(b, 32 * PAGE);
	printf("shrunk and grown: %d wrong\n", wrong());
}

/* Half of it is given back; what is left is moved. */
static void parted(void)
{
	struct block *b = make(8 * PAGE);
	munmap(b->at + 2 * PAGE, 6 * PAGE);
	b->bytes = 2 * PAGE;
	b->at[b->bytes - 1] = b->mark;
	make(4 * PAGE);
	resize(b, 16 * PAGE);
	make(PAGE);
	printf("parted: %d wrong\n", wrong());
}

/* A mapping the program puts itself, into a place it had and gave back. */
static void fixed(void)
{
	struct block *b = make(2 * PAGE);
	char *room = plain(200 * PAGE, MAP_PRIVATE), *wish = room + 100 * PAGE;
	munmap(room, 200 * PAGE);
	char *at = mmap(wish, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	printf("fixed %d\n", at == wish);
	keep(at, 4 * PAGE);
	for (int i = 0; i < 12; i++)
		resize(make(2 * PAGE), 7 * PAGE);
	resize(b, 90 * PAGE);
	printf("around it: %d wrong\n", wrong());
}

/* Length 0: the same memory once more. */
static void twice(void)
{
	char *one = plain(2 * PAGE, MAP_SHARED), *two = mremap(one, 0, 2 * PAGE, MREMAP_MAYMOVE);
	printf("twice %d\n", two != MAP_FAILED && two != one);
	one[5] = 7;
	two[PAGE] = 8;
	printf("one memory %d\n", two[5] == 7 && one[PAGE] == 8);
	make(3 * PAGE);
	printf("beside it: %d wrong\n", wrong());
}

/* The old place stays, empty. */
static void left(void)
{
	struct block *b = make(2 * PAGE);
	char *old = b->at, *at = mremap(old, b->bytes, b->bytes, MREMAP_MAYMOVE | MREMAP_DONTUNMAP, NULL);
	printf("left behind %d\n", at != MAP_FAILED && at != old);
	if (at == MAP_FAILED)
		return;
	b->at = at;
	printf("empty %d\n", old[0] == 0 && old[2 * PAGE - 1] == 0);
	keep(old, 2 * PAGE);
	make(2 * PAGE);
	printf("both: %d wrong\n", wrong());
}

static void refused(void)
{
	struct block *b = make(2 * PAGE);
	make(2 * PAGE);
	printf("cannot stay: %d\n", mremap(b->at, b->bytes, 1000 * PAGE, 0) == MAP_FAILED ? errno == ENOMEM : b->at != NULL);
	printf("length 0: %s\n", mremap(b->at, b->bytes, 0, MREMAP_MAYMOVE) == MAP_FAILED ? strerror(errno) : "done");
	printf("not aligned: %s\n", mremap(b->at + 1, PAGE, 2 * PAGE, MREMAP_MAYMOVE) == MAP_FAILED ? strerror(errno) : "done");
	printf("private twice: %s\n", mremap(b->at, 0, PAGE, MREMAP_MAYMOVE) == MAP_FAILED ? strerror(errno) : "done");
	printf("too much: %s\n", mremap(b->at, b->bytes, 1ul << 46, MREMAP_MAYMOVE) == MAP_FAILED ? strerror(errno) : "done");
	printf("after that: %d wrong\n", wrong());
}

static void heap_break(void)
{
	char *before = sbrk(16 * PAGE);
	keep(before, 16 * PAGE);
	resize(make(2 * PAGE), 20 * PAGE);
	printf("break %d, %d wrong\n", sbrk(0) == before + 16 * PAGE, wrong());
}

/* Each maps, grows and gives back; another may do so in between. */
static void *beside(void *unused)
{
	(void)unused;
	char *at = plain(2 * PAGE, MAP_PRIVATE);
	at[PAGE] = 1;
	at = mremap(at, 2 * PAGE, 16 * PAGE, MREMAP_MAYMOVE);
	if (at == MAP_FAILED)
		return (void *)99;
	at[15 * PAGE] = 2;
	long sum = at[PAGE] + at[15 * PAGE];
	munmap(at, 16 * PAGE);
	return (void *)sum;
}

static int threads(void)
{
	pthread_t thread[4];
	void *sum;
	for (int i = 0; i < 4; i++)
		pthread_create(&thread[i], NULL, beside, NULL);
	for (int i = 0; i < 4; i++) {
		pthread_join(thread[i], &sum);
		if (sum != (void *)3)
			return 1;
	}
	return 0;
}

int main(int count_of, char **unused)
{
	(void)unused;
	if (count_of > 1)
		return threads();
	setvbuf(stdout, NULL, _IOLBF, 0);
	grow();
	shrink();
	parted();
	fixed();
	twice();
	left();
	refused();
	heap_break();
	return 0;
}
