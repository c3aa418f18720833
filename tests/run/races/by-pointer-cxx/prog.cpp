/* Through std::function and a virtual function that has a pointer. */
#include <cstring>
#include <functional>
#include <pthread.h>

char wrong[64], other[64], from[64] = "from";
size_t length;
std::function<void *(void *, const void *, size_t)> copy = memcpy;

struct tool {
	virtual ~tool() {}
	virtual void use() = 0;
};
struct filler : tool {
	void *(*fill)(void *, int, size_t) = memset;
	void use() override { fill(other, 1, 8); }
};
tool *own = new filler;

static void *a(void *x)
{
	copy(wrong, from, 5);
	own->use();
	return x;
}

static void *b(void *x)
{
	length = wrong[2];
	length += other[7];
	return x;
}

int main()
{
	pthread_t t[2];
	pthread_create(&t[0], nullptr, a, nullptr);
	pthread_create(&t[1], nullptr, b, nullptr);
	pthread_join(t[0], nullptr);
	pthread_join(t[1], nullptr);
	return 0;
}
