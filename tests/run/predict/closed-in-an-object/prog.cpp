/* A box says under its lock that it is full; whoever finds it so, and not sealed, or finds it in one of two states, changes what is in it.  Given a word another thread says so too,
 * though it has filled nothing, and there is a race. */
#include <cstring>
#include <mutex>
#include <pthread.h>

enum class state { empty, filled, opened };

class box {
	std::mutex lock;
	bool full = false, sealed = false;
	state is = state::empty;

public:
	int text = 0;

	void say()
	{
		std::lock_guard<std::mutex> hold(lock);
		full = true;
		is = state::filled;
	}

	void take_full()
	{
		bool ok;
		{
			std::lock_guard<std::mutex> hold(lock);
			ok = full && !sealed;
		}
		if (ok)
			text++;
	}

	bool has_some()
	{
		std::lock_guard<std::mutex> hold(lock);
		return is == state::filled || is == state::opened;
	}
};

static box one;

static void *fills(void *unused) { one.text = 5; one.say(); return unused; }
static void *says(void *unused) { one.say(); return unused; }
static void *takes(void *unused) { one.take_full(); return unused; }
static void *asks(void *unused) { if (one.has_some()) one.text++; return unused; }
static void *nothing(void *unused) { return unused; }

int main(int argc, char **argv)
{
	pthread_t threads[3];
	pthread_create(&threads[0], nullptr, fills, nullptr);
	pthread_create(&threads[1], nullptr, argc > 1 && std::strcmp(argv[1], "asks") == 0 ? asks : takes, nullptr);
	pthread_create(&threads[2], nullptr, argc > 2 ? says : nothing, nullptr);
	for (pthread_t thread : threads)
		pthread_join(thread, nullptr);
	return 0;
}
