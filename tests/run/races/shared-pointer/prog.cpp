#include <memory>
#include <thread>

struct thing { int value = 0; };

int main()
{
	auto p = std::make_shared<thing>();
	p->value = 1;
	std::weak_ptr<thing> w = p;
	int sum[2];
	std::thread a([p, &sum] { sum[0] = p->value; }), b([w, &sum] { auto q = w.lock(); sum[1] = q ? q->value : 1; });
	p.reset();
	a.join();
	b.join();
	return sum[0] + sum[1] - 2;
}
