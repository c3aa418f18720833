/* trace/json.h -- one event as one JSON object; the names are an interface, see raddle-json(5). */
#ifndef RADDLE_TRACE_JSON_H
#define RADDLE_TRACE_JSON_H

#include "base/json.h"
#include "trace/objects.h"

/* {"event":n,"thread":...,...} and the end of the line; `n` counts from 0 in the order shown. */
void event_json(struct json *j, struct trace *t, const struct objects *o, const struct event *ev, uint64_t n);
/* "at":{"file":...,"line":...,...}; nothing for an unknown place. */
void place_json(struct json *j, const char *key, const struct place *at);

#endif
