/* rt/names.c -- see names.h.  The kernel keeps the name of a thread; a strand without a thread of its own has it here.
 * A new strand is called as its creator is; the first one as the program, until it is named. */
#include "rt/names.h"

#include <errno.h>
#include <sys/prctl.h>

#include "rt/sys.h"

static char first_name[STRAND_NAME];

bool names_are_ours(void)
{
	return rt_steered() && own_strand && steer->switched_by == SWITCH_GHOST;
}

/* Before the kernel is told another one. */
static void know_first_name(void)
{
	char name[STRAND_NAME] = "";            /* written to first: the kernel does not write to a page that restart.c watches */
	if (first_name[0])
		return;
	sys3(SYS_prctl, PR_GET_NAME, (long)name, 0);
	copy_bytes(first_name, name, STRAND_NAME);
}

int names_set(struct strand *s, const char *name)
{
	unsigned bytes = 0;
	know_first_name();
	while (bytes < STRAND_NAME && name[bytes])
		bytes++;
	if (bytes == STRAND_NAME)
		return ERANGE;
	if (steer_has_ended(s))
		return ENOENT;
	copy_bytes(s->name, name, bytes + 1);
	s->is_named = true;
	return 0;
}

int names_get(const struct strand *s, char *to, size_t room)
{
	know_first_name();
	if (room < STRAND_NAME)
		return ERANGE;
	if (steer_has_ended(s))
		return ENOENT;
	const char *name = s->is_named ? s->name : first_name;
	unsigned bytes = 0;
	while (bytes < STRAND_NAME - 1 && name[bytes])
		bytes++;
	copy_bytes(to, name, bytes);
	to[bytes] = 0;
	return 0;
}
