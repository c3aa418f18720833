/* cli/updates.c -- see updates.h.  Opened when first asked for: most runs are decided without. */
#include "cli/updates.h"

#include <string.h>

#include "drive/object.h"

struct commute *program_updates_open(void *with)
{
	struct program_updates *u = with;
	char id[OBJECT_BUILD_ID];
	struct err ignored;
	if (u->tried || !u->trace)
		return u->commute;
	u->tried = true;
	if (!trace_module_count(u->trace))
		return NULL;
	const struct trace_module *program = trace_module(u->trace, 0);
	object_build_id(program->path, id);
	if (!program->instrumented || !*id || strcmp(id, program->build_id) || model_open(&u->model, &program->path, 1, MODEL_AS_BUILT, &ignored) < 0)
		return NULL;
	u->commute = commute_new(u->model, program->path);
	return u->commute;
}

void program_updates_close(struct program_updates *u)
{
	commute_free(u->commute);
	model_close(u->model);
	*u = (struct program_updates){ 0 };
}
