/* analyses/epa/outputs.h -- what a run of a campaign left in its folder: its output, compared with the golden run's. */
#ifndef RADDLE_EPA_OUTPUTS_H
#define RADDLE_EPA_OUTPUTS_H

#include <stdbool.h>

#include "analyses/epa/config.h"

#define OUTPUT_STDOUT ".raddle.stdout"
#define OUTPUT_STDERR ".raddle.stderr"

bool outputs_same(const struct campaign_config *c, const char *golden, const char *other);     /* folders; what the configuration calls output */
bool outputs_match(const char *folder, const char *file, const char *regex);    /* a line of it does */
int  outputs_copy(const char *folder, const char *file, const char *to, struct err *why);      /* into folder `to`, by its last name; 0, or -1 and why */
int  outputs_copy_all(const char *folder, const char *to, struct err *why);     /* all that lies in it, folders too; 0, or -1 and why */
void outputs_move(const char *from, const char *to);

#endif
