/* cli/rerun.c -- see rerun.h. */
#include "cli/rerun.h"

#include <sys/mman.h>
#include <unistd.h>

#include "drive/records.h"
#include "drive/saved.h"

#define LONGEST 60u                     /* seconds: in what takes longer nobody looks */

void rerun(const char *schedule, void (*take)(void *with, struct live *events), void *with)
{
	struct saved saved;
	struct saved_how how = { .argv = NULL };
	struct steer_result result;
	struct err ignored;
	if (saved_open(&saved, schedule, &how, &ignored) < 0)
		return;
	struct records *records = records_new();
	saved.options.records = records;
	saved.options.apart = true;
	saved.options.max_seconds = LONGEST;
	saved.options.output = memfd_create("raddle-output", MFD_CLOEXEC);
	if (saved.options.output >= 0 && steer_run(&saved.options, &result, &ignored) == 0) {
		take(with, records_live(records));
		steer_result_release(&result);
	}
	if (saved.options.output >= 0)
		close(saved.options.output);
	records_free(records);
	saved_close(&saved);
}
