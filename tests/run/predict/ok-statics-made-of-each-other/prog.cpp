/* The twin of statics-made-of-each-other: words are made of nothing else. */
#include <thread>

struct tables { int value; tables(); };
struct words { int value; words(); };

static thread_local bool at_tables, at_words;

static tables &all_tables()
{
	static tables made;
	return made;
}

static words &all_words()
{
	static words made;
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
	value++;
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
