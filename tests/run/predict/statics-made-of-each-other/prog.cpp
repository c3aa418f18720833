/* Two static variables of functions; what makes the one asks for the other, unless this thread is at it already.  Two threads that begin at different ends wait
 * for each other. */
#include <thread>

struct tables { int value; tables(); };
struct words { int value; words(); };

static thread_local bool at_tables, at_words;

static tables &all_tables()
{
	static tables made; /*@A*/
	return made;
}

static words &all_words()
{
	static words made; /*@B*/
	return made;
}

tables::tables() : value(1)
{
	at_tables = true;
	if (!at_words)
		value += all_words().value;
	at_tables = false;
}

words::words() : value(2)
{
	at_words = true;
#ifdef OK
	value++;
#else
	if (!at_tables)
		value += all_tables().value;
#endif
	at_words = false;
}

int main()
{
	std::thread first([] { all_tables(); });
	std::thread second([] { all_words(); });
	first.join();
	second.join();
	return 0;
}
