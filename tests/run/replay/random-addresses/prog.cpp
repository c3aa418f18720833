// Keeps addresses of every kind of memory, none of which decides what it does.
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <mutex>
#include <pthread.h>
#include <string>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>
#include <vector>

struct Node { const void *at; Node *next; };

static thread_local int mine;
static std::mutex lock;
static Node *list;
static const void *seen[16];
static unsigned seen_count;

static void keep(const void *address)
{
	std::lock_guard<std::mutex> guard(lock);
	list = new Node{ address, list };
	seen[seen_count++ % 16] = address;
}

struct Global {
	Global() { alignas(64) char local[64] = ""; keep(local); }
} global;

static void work(int n, long *shared)
{
	alignas(128) long own[16] = { n };
	keep(&mine);
	keep(own);
	keep(reinterpret_cast<const void *>(pthread_self()));
	mine = n;
	__atomic_fetch_add(shared, own[0], __ATOMIC_RELAXED);
	try {
		if (n == 1)
			throw std::string("a text too long to lie inside its string");
	} catch (const std::string &text) {
		keep(text.data());
	}
}

int main(int, char **argv)
{
	alignas(64) long shared[8] = {};
	void *page = mmap(nullptr, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const void *known[] = { argv, argv[0], getenv("PATH"), shared, page, stdout, reinterpret_cast<void *>(printf),
		reinterpret_cast<void *>(work), &mine, &errno, environ, sbrk(0), dlopen(nullptr, RTLD_NOW) };
	for (const void *address : known)
		keep(address);
	std::vector<std::thread> threads;
	for (int i = 0; i < 3; i++)
		threads.emplace_back(work, i, shared);
	for (std::thread &t : threads)
		t.join();
	unsigned count = 0;
	for (Node *n = list; n; n = n->next)
		count++;
	std::printf("%u addresses, sum %ld\n", count, shared[0]);
	return 0;
}
