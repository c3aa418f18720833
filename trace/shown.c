/* trace/shown.c -- names as people write them, worked out once each. */
#include <string.h>

#include "base/cxx.h"
#include "trace/objects.h"
#include "trace/inside.h"

#define SHOWN_MOST 400

const char *trace_shown(struct trace *t, const char *name)
{
	char text[SHOWN_MOST];
	bool fresh;
	if ((name[0] != '_' || (name[1] != 'Z' && name[1] != 'I')) && !strchr(name, ':'))       /* _Z: of C++; _IO_: a stream */
		return name;
	uint64_t *kept = map_put(&t->shown, (uint64_t)(uintptr_t)name, &fresh);
	if (fresh)
		*kept = (uint64_t)(uintptr_t)(cxx_name(name, text, sizeof text) ? trace_intern(t, text, strlen(text)) : name);
	return (const char *)(uintptr_t)*kept;
}

const char *place_function(struct trace *t, const struct place *at)
{
	const struct place *own = place_own(at);
	bool outermost = !own->inlined_at && at->linkage[0] == '_' && at->linkage[1] == 'Z';    /* linkage is that of the whole */
	return trace_shown(t, outermost ? at->linkage : own->function);
}
