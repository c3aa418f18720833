/* cli/campaign_audit.c -- see campaign_audit.h. */
#include "cli/campaign_audit.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "analyses/epa/audit.h"
#include "analyses/epa/manifest.h"
#include "base/json.h"
#include "base/str.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/say.h"

int campaign_manifest(struct campaign *k, const char *file, const char *path, struct err *why)
{
	struct output out;
	if (output_open(&out, path, FILE_REPORT, why) < 0)
		return -1;
	int got = manifest_write(k, file, out.file, why);
	return output_close(&out, got == 0, false, why) < 0 ? -1 : got;
}

/* ---- words ---- */

struct telling { bool json; struct json j; };

static void say_difference(void *with, const char *text)
{
	struct telling *t = with;
	if (!t->json) {
		printf("manifest: %s\n", text);
		return;
	}
	json_object(&t->j);
	json_put_text(&t->j, "type", "difference");
	json_put_text(&t->j, "said", text);
	json_end(&t->j, '}');
	json_line(&t->j);
}

static void json_one(struct json *j, const struct audit_one *one)
{
	json_object(j);
	json_put_text(j, "type", "audit");
	json_put_number(j, "id", one->fault.id);
	json_put_text(j, "fault", one->fault.fault);
	json_put_text(j, "site", one->fault.site);
	json_put_text(j, "before", one->before);
	json_put_text(j, "outcome", became_words[one->now.outcome]);
	json_put_text(j, "differs", one->differs);
	json_end(j, '}');
	json_line(j);
}

static bool say_one(void *with, const struct audit_one *one)
{
	struct telling *t = with;
	const char *now = became_words[one->now.outcome];
	if (t->json)
		json_one(&t->j, one);
	else if (strcmp(now, one->before))
		printf("%s:%" PRIu32 ": fault %" PRIu64 ", %s at %s: %s, not %s as before\n", one->fault.file, one->fault.line, one->fault.id, one->fault.fault, one->fault.site, now,
			one->before);
	else if (one->differs)
		printf("%s:%" PRIu32 ": fault %" PRIu64 ", %s at %s: %s as before, but '%s' is not the same\n", one->fault.file, one->fault.line, one->fault.id, one->fault.fault,
			one->fault.site, now, one->differs);
	return !interrupt_came();
}

static void say_audit(const struct audit *a, const struct manifest_check *m, const char *manifest, uint64_t seed)
{
	char x[STR_NUMBER], y[STR_NUMBER];
	struct interval v = wilson(a->differ, a->made);
	if (manifest)
		printf("%s files and %s results held against '%s': %s\n", str_grouped(x, m->files), str_grouped(y, m->results), manifest, m->differ ? "not the same" : "the same");
	printf("%s of %s faults made again (seed %" PRIu64 "): ", str_grouped(x, a->made), str_grouped(y, a->of), seed);
	printf("%" PRIu64 " the same, %" PRIu64 " with the same outcome and other details, %" PRIu64 " with another outcome\n", a->same, a->details, a->differ);
	printf("of all, at most %.1f %% would come to another outcome (95 %%)\n", 100 * v.high);
}

static void json_audit(struct json *j, const struct audit *a, const struct manifest_check *m, uint64_t seed)
{
	struct interval v = wilson(a->differ, a->made);
	json_summary(j, stdout);
	json_put_text(j, "command", "campaign");
	json_put_number(j, "seed", seed);
	json_put_number(j, "faults", a->of);
	json_put_number(j, "made", a->made);
	json_put_number(j, "same", a->same);
	json_put_number(j, "details", a->details);
	json_put_number(j, "differ", a->differ);
	json_key(j, "high");
	json_real(j, v.high);
	json_put_number(j, "manifest_differs", m->differ);
	json_summary_end(j);
}

int campaign_audit(struct campaign *k, const char *file, const char *manifest, uint64_t seed, bool json, struct err *why)
{
	struct telling t = { .json = json };
	struct audit a;
	struct manifest_check m = { 0 };
	if (!seed) {
		uint32_t drawn;
		check(getrandom(&drawn, sizeof drawn, 0) == sizeof drawn);
		seed = 1 + (uint64_t)drawn;
	}
	json_init(&t.j, stdout);
	int got = manifest ? manifest_check(k, file, manifest, say_difference, &t, &m, why) : 0;
	interrupt_watch();
	if (got == 0)
		got = audit_run(k, seed, say_one, &t, &a, why);
	bool ended = interrupt_came();
	interrupt_leave();
	if (got < 0)
		return -1;
	if (json)
		json_audit(&t.j, &a, &m, seed);
	else
		say_audit(&a, &m, manifest, seed);
	if (say_flush(why) < 0)
		return -1;
	return ended ? 4 : a.differ || m.differ ? 1 : 0;
}
