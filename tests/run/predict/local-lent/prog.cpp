/* A thread that is given a local by reference, and is told to go on its own. */
#include <semaphore>
#include <thread>

static std::binary_semaphore done(0);
static int sum;

[[gnu::noinline]] static void begins(int first)
{
	int numbers[3] = { first, 2, 3 };
	std::thread t([&] {
		sum = numbers[0]; /*@A*/
		done.release();
	});
	t.detach();
} /*@B*/

int main()
{
	begins(1);
	done.acquire();
	return sum == 0;
}
