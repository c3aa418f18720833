/* tests/report/sarif_check.c -- see sarif_check.h.  Paragraphs are those of the standard. */
#include "tests/report/sarif_check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_read.h"

struct asked { char *why; size_t room; bool bad; const struct json_value *rules; };

static bool wrong(struct asked *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool wrong(struct asked *a, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	if (!a->bad)
		vsnprintf(a->why, a->room, format, args);
	va_end(args);
	a->bad = true;
	return false;
}

/* It is an object, and has no other members than these, each once. */
static bool object(struct asked *a, const struct json_value *v, const char *what, const char *members)
{
	if (!v || v->type != JSON_OBJECT)
		return wrong(a, "%s is no object", what);
	for (const struct json_value *m = v->first; m; m = m->next) {
		char padded[80];
		snprintf(padded, sizeof padded, " %.70s ", m->key);
		if (!strstr(members, padded))
			return wrong(a, "%s may not have '%.40s'", what, m->key);
		if (json_member(v, m->key) != m)
			return wrong(a, "%s has '%s' twice", what, m->key);
	}
	return true;
}

static const struct json_value *needed(struct asked *a, const struct json_value *v, const char *what, const char *key, enum json_type type)
{
	const struct json_value *m = json_member(v, key);
	if (!m || m->type != type)
		wrong(a, "%s needs '%s'", what, key);
	return m && m->type == type ? m : NULL;
}

static void one_of(struct asked *a, const struct json_value *v, const char *key, const char *words)
{
	const char *text = json_member_text(v, key);
	char padded[80];
	if (!json_member(v, key))
		return;
	snprintf(padded, sizeof padded, " %.70s ", text ? text : "");
	if (!text || !strstr(words, padded))
		wrong(a, "'%s' may not be '%s'", key, text ? text : "?");
}

static void at_least(struct asked *a, const struct json_value *v, const char *key, long least)
{
	const struct json_value *m = json_member(v, key);
	if (m && (m->type != JSON_NUMBER || strpbrk(m->text, ".eE") || strtol(m->text, NULL, 10) < least))
		wrong(a, "'%s' must be a whole number from %ld on", key, least);
}

/* An array, if it is there, of at least so many; each element is asked. */
static void each(struct asked *a, const struct json_value *v, const char *key, size_t least, void (*ask)(struct asked *, const struct json_value *))
{
	const struct json_value *m = json_member(v, key);
	if (!m)
		return;
	if (m->type != JSON_ARRAY || m->count < least) {
		wrong(a, "'%s' must be an array of at least %zu", key, least);
		return;
	}
	for (const struct json_value *one = m->first; one; one = one->next)
		ask(a, one);
}

/* 3.11: text or id. */
static void message(struct asked *a, const struct json_value *v, bool must)
{
	if (!v && !must)
		return;
	if (object(a, v, "message", " text markdown id arguments properties ") && !json_member_text(v, "text"))
		wrong(a, "a message needs a text");
}

/* 3.4.3: a URI reference of RFC 3986. */
static void uri(struct asked *a, const char *text)
{
	static const char hex[] = "0123456789ABCDEFabcdef";
	if (!text || !*text) {
		wrong(a, "an artifact needs a uri");
		return;
	}
	for (const char *c = text; *c; c++)
		if (*c == '%' ? !(c[1] && strchr(hex, c[1]) && c[2] && strchr(hex, c[2])) :
		    !strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~:/?#[]@!$&'()*+,;=", *c))
			wrong(a, "'%.100s' is no uri", text);
	if (strncmp(text, "file://", 7) && memchr(text, ':', strcspn(text, "/")))
		wrong(a, "'%.100s' has a scheme that is none", text);
}

static void logical(struct asked *a, const struct json_value *v)
{
	object(a, v, "logicalLocation", " name fullyQualifiedName decoratedName kind parentIndex index properties ");
}

/* 3.28 */
static void location(struct asked *a, const struct json_value *v)
{
	if (!object(a, v, "location", " id physicalLocation logicalLocations message annotations relationships properties "))
		return;
	at_least(a, v, "id", 0);
	const struct json_value *p = json_member(v, "physicalLocation"), *region = json_member(p, "region");
	if (p && object(a, p, "physicalLocation", " artifactLocation region contextRegion address properties ")) {
		const struct json_value *artifact = needed(a, p, "physicalLocation", "artifactLocation", JSON_OBJECT);
		object(a, artifact, "artifactLocation", " uri uriBaseId index description properties ");
		uri(a, json_member_text(artifact, "uri"));
	}
	if (region && object(a, region, "region", " startLine startColumn endLine endColumn snippet message properties ")) {
		needed(a, region, "region", "startLine", JSON_NUMBER);
		at_least(a, region, "startLine", 1);
		at_least(a, region, "startColumn", 1);
	}
	each(a, v, "logicalLocations", 0, logical);
	message(a, json_member(v, "message"), false);
}

/* 3.45, 3.44 */
static void frame(struct asked *a, const struct json_value *v)
{
	if (object(a, v, "stackFrame", " location module threadId parameters properties "))
		location(a, needed(a, v, "stackFrame", "location", JSON_OBJECT));
}

static void stack(struct asked *a, const struct json_value *v)
{
	if (!object(a, v, "stack", " message frames properties "))
		return;
	needed(a, v, "stack", "frames", JSON_ARRAY);
	each(a, v, "frames", 0, frame);
	message(a, json_member(v, "message"), false);
}

/* 3.38, 3.37, 3.36 */
static void flow_location(struct asked *a, const struct json_value *v)
{
	if (!object(a, v, "threadFlowLocation", " index location stack kinds nestingLevel executionOrder importance state module properties "))
		return;
	location(a, needed(a, v, "threadFlowLocation", "location", JSON_OBJECT));
	at_least(a, v, "executionOrder", 0);
	one_of(a, v, "importance", " important essential unimportant ");
}

static void thread_flow(struct asked *a, const struct json_value *v)
{
	if (!object(a, v, "threadFlow", " id message initialState immutableState locations properties "))
		return;
	needed(a, v, "threadFlow", "locations", JSON_ARRAY);
	each(a, v, "locations", 1, flow_location);
}

static void code_flow(struct asked *a, const struct json_value *v)
{
	if (!object(a, v, "codeFlow", " message threadFlows properties "))
		return;
	const struct json_value *flows = needed(a, v, "codeFlow", "threadFlows", JSON_ARRAY);
	each(a, v, "threadFlows", 1, thread_flow);
	for (const struct json_value *x = flows ? flows->first : NULL; x; x = x->next)
		for (const struct json_value *y = x->next; y; y = y->next) {
			const char *one = json_member_text(x, "id"), *other = json_member_text(y, "id");
			if (one && other && !strcmp(one, other))
				wrong(a, "two thread flows are called '%.40s'", one);
		}
}

/* ---------------------------------------------------------------- results */

static bool same(const struct json_value *x, const struct json_value *y)
{
	if (x->type != y->type || x->count != y->count || x->length != y->length || (x->text && memcmp(x->text, y->text, x->length)))
		return false;
	const struct json_value *m = x->first, *n = y->first;
	for (; m && n; m = m->next, n = n->next)
		if ((m->key && strcmp(m->key, n->key)) || !same(m, n))
			return false;
	return true;
}

static void all_different(struct asked *a, const struct json_value *v, const char *key)
{
	const struct json_value *m = json_member(v, key);
	for (const struct json_value *x = m ? m->first : NULL; x; x = x->next)
		for (const struct json_value *y = x->next; y; y = y->next)
			if (same(x, y))
				wrong(a, "'%s' has the same twice", key);
}

static void suppression(struct asked *a, const struct json_value *v)
{
	if (!object(a, v, "suppression", " guid kind status justification location properties "))
		return;
	needed(a, v, "suppression", "kind", JSON_TEXT);
	one_of(a, v, "kind", " inSource external ");
}

static void rule_of(struct asked *a, const struct json_value *v)
{
	const struct json_value *index = json_member(v, "ruleIndex"), *rule = a->rules ? a->rules->first : NULL;
	const char *id = json_member_text(v, "ruleId");
	at_least(a, v, "ruleIndex", 0);
	for (long i = index ? strtol(index->text, NULL, 10) : 0; rule && i > 0; i--)
		rule = rule->next;
	if (!id || !rule || strcmp(id, json_member_text(rule, "id")))
		wrong(a, "'%s' is not the rule of its ruleIndex", id ? id : "?");
}

/* 3.27 */
static void result(struct asked *a, const struct json_value *v)
{
	if (!object(a, v, "result", " ruleId ruleIndex kind level message locations relatedLocations stacks codeFlows partialFingerprints "
		    "fingerprints baselineState suppressions properties "))
		return;
	message(a, json_member(v, "message"), true);
	one_of(a, v, "kind", " notApplicable pass fail review open informational ");
	one_of(a, v, "level", " none note warning error ");
	one_of(a, v, "baselineState", " new unchanged updated absent ");
	const char *kind = json_member_text(v, "kind"), *level = json_member_text(v, "level");
	if (kind && level && (!strcmp(kind, "fail")) == (!strcmp(level, "none")))
		wrong(a, "kind '%s' with level '%s'", kind, level);
	rule_of(a, v);
	each(a, v, "locations", 0, location);
	each(a, v, "relatedLocations", 0, location);
	all_different(a, v, "relatedLocations");
	each(a, v, "stacks", 0, stack);
	all_different(a, v, "stacks");
	each(a, v, "codeFlows", 0, code_flow);
	each(a, v, "suppressions", 0, suppression);
	const struct json_value *prints = needed(a, v, "result", "partialFingerprints", JSON_OBJECT);
	for (const struct json_value *m = prints ? prints->first : NULL; m; m = m->next)
		if (m->type != JSON_TEXT)
			wrong(a, "a fingerprint is no text");
}

/* ---------------------------------------------------------------- the run */

static void rule(struct asked *a, const struct json_value *v)
{
	if (!object(a, v, "reportingDescriptor", " id name shortDescription fullDescription help helpUri defaultConfiguration properties "))
		return;
	needed(a, v, "reportingDescriptor", "id", JSON_TEXT);
	message(a, json_member(v, "shortDescription"), false);
	message(a, json_member(v, "fullDescription"), false);
	one_of(a, json_member(v, "defaultConfiguration"), "level", " none note warning error ");
}

static void notification(struct asked *a, const struct json_value *v)
{
	if (!object(a, v, "notification", " level message descriptor locations properties "))
		return;
	one_of(a, v, "level", " none note warning error ");
	message(a, json_member(v, "message"), true);
}

static void invocation(struct asked *a, const struct json_value *v)
{
	if (!object(a, v, "invocation", " executionSuccessful toolExecutionNotifications exitCode commandLine properties "))
		return;
	const struct json_value *good = json_member(v, "executionSuccessful");
	if (!good || (good->type != JSON_TRUE && good->type != JSON_FALSE))
		wrong(a, "an invocation needs executionSuccessful");
	each(a, v, "toolExecutionNotifications", 0, notification);
}

static void run(struct asked *a, const struct json_value *v)
{
	if (!object(a, v, "run", " tool invocations columnKind results originalUriBaseIds artifacts properties "))
		return;
	const struct json_value *tool = needed(a, v, "run", "tool", JSON_OBJECT);
	const struct json_value *driver = needed(a, tool, "tool", "driver", JSON_OBJECT);
	object(a, driver, "driver", " name version semanticVersion rules informationUri properties ");
	needed(a, driver, "driver", "name", JSON_TEXT);
	a->rules = json_member(driver, "rules");
	each(a, driver, "rules", 0, rule);
	each(a, v, "invocations", 0, invocation);
	one_of(a, v, "columnKind", " utf16CodeUnits unicodeCodePoints ");
	needed(a, v, "run", "results", JSON_ARRAY);
	each(a, v, "results", 0, result);
}

bool sarif_check(const char *text, size_t count, char *why, size_t room)
{
	struct asked a = { .why = why, .room = room };
	struct arena memory = { 0 };
	size_t where;
	const struct json_value *v = json_read(&memory, text, count, &where);
	if (!v) {
		wrong(&a, "no JSON from byte %zu on", where);
	} else if (object(&a, v, "sarifLog", " $schema version runs inlineExternalProperties properties ")) {
		one_of(&a, v, "version", " 2.1.0 ");
		needed(&a, v, "sarifLog", "version", JSON_TEXT);
		needed(&a, v, "sarifLog", "runs", JSON_ARRAY);
		each(&a, v, "runs", 0, run);
	}
	arena_release(&memory);
	return !a.bad;
}
