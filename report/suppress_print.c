/* report/suppress_print.c -- rules for findings there are: by function and variable of the first place. */
#include <string.h>

#include "base/buffer.h"
#include "report/escape.h"
#include "report/suppress.h"
#include "report/words.h"

/* A name that ends a rule or a line, or loses blanks at its ends, cannot stand in one. */
static bool can_stand(const char *name)
{
	if (!*name || *name == ' ' || name[strlen(name) - 1] == ' ')
		return false;
	for (const char *c = name; *c; c++)
		if (*c == ';' || (unsigned char)*c < 32 || *c == 127)
			return false;
	return true;
}

static void print_rule(const struct finding *f, FILE *to)
{
	const struct finding_place *p = f->places.count ? &f->places.at[0] : NULL;
	const char *function = p && can_stand(p->at.function) ? p->at.function : "*";
	const char *object = p ? finding_place_object(f, p) : "";
	fprintf(to, "%s:function=%s", finding_kind_word(f->kind), function);
	if (can_stand(object))
		fprintf(to, "; variable=%s", object);
	putc('\n', to);
}

void suppressions_print(const struct findings *l, unsigned status_bits, FILE *to)
{
	struct buffer words = { 0 };
	for (size_t i = 0; i < l->all.count; i++) {
		const struct finding *f = l->all.at[i];
		if (f->suppressed || !(status_bits & (1u << f->status)))
			continue;
		char at[FINDING_PLACE_ROOM];
		if (f->places.count)
			buffer_print(&words, "%s: ", finding_where(&f->places.at[0].at, at));
		words_message(&words, f);
		fputs("# ", to);
		escape_text(to, (const char *)words.at);
		putc('\n', to);
		print_rule(f, to);
		words.count = 0;
	}
	buffer_release(&words);
}
