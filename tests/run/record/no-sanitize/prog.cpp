// What is said to ThreadSanitizer: accesses of such functions to `plain` are no events; their atomics are, and what they call.
#include <atomic>

#if !__has_attribute(no_sanitize_thread) || !__has_attribute(no_sanitize) || __has_feature(thread_sanitizer) || \
	defined __SANITIZE_THREAD__
#error what raddle adds can be seen
#endif

int plain, seen;
std::atomic<int> counted;

static inline void helper() { seen++; }

__attribute__((no_sanitize("thread"))) void with_text() { plain++; counted++; helper(); }
__attribute__((no_sanitize_thread)) static void with_word() { plain++; helper(); }
__attribute__((__no_sanitize__("address", "thread"), noinline)) void with_list() { plain++; helper(); }
__attribute__((no_sanitize("all"))) void with_all() { plain++; }
[[clang::no_sanitize_thread]] void in_brackets() { plain++; }
[[clang::no_sanitize("thread")]] void with_text_in_brackets() { plain++; }
__attribute__((no_sanitize("address"))) void of_others() { seen++; }
[[clang::no_sanitize("undefined")]] void of_others_in_brackets() { seen++; }
__attribute__((no_sanitize("thread"))) static void never_called() { plain++; }

int main()
{
	with_text();
	with_word();
	with_list();
	with_all();
	in_brackets();
	with_text_in_brackets();
	of_others();
	of_others_in_brackets();
	return counted + seen;
}
