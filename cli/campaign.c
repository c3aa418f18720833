/* cli/campaign.c -- raddle campaign: many faults, one run each, and what came of them.  The work is analyses/epa's. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "analyses/epa/campaign.h"
#include "base/str.h"
#include "cli/campaign_say.h"
#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/say.h"

struct options { const char *database, *csv, *output; uint64_t jobs, repeat; bool json, summary; };

/* ---- progress ---- */

struct progress { time_t began, said; uint64_t done_before; };

static bool tell(void *with, const struct campaign *k)
{
	struct progress *p = with;
	time_t now = time(NULL);
	uint64_t made = k->done - p->done_before;
	if (isatty(2) && now != p->said && now > p->began) {
		p->said = now;
		uint64_t left = (k->total - k->done) * (uint64_t)(now - p->began) / (made ? made : 1);
		fprintf(stderr, "\r\033[K%" PRIu64 " of %" PRIu64 " faults, about %" PRIu64 " s left", k->done, k->total, left);
	}
	return !interrupt_came();
}

static int run_campaign(struct campaign *k, const struct options *o, struct err *why)
{
	struct progress p = { .began = time(NULL), .done_before = k->done };
	unsigned jobs = o->jobs ? (unsigned)o->jobs : (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
	if (k->done && k->done < k->total)
		say_note("goes on with fault %" PRIu64 " of %" PRIu64, k->done + 1, k->total);
	interrupt_watch();
	int got = campaign_run(k, jobs, tell, &p, why);
	interrupt_leave();
	if (p.said)
		fprintf(stderr, "\r\033[K");
	return got;
}

/* ---- one again ---- */

static int repeat_one(struct campaign *k, const struct options *o, struct err *why)
{
	struct experiment e;
	struct result r;
	char before[24];
	int got = campaign_find(k->db, o->repeat, &e, before, why);
	if (got == 0) {
		err_set(why, "there is no fault %" PRIu64 ", there are %" PRIu64, o->repeat, k->total);
		why->code = 2;
		return -1;
	}
	if (got < 0 || campaign_repeat(k, &e, o->output, &r, why) < 0)
		return -1;
	campaign_say_one(&e, &r, before);
	return *before && strcmp(before, became_words[r.outcome]) ? 1 : 0;
}

/* ---- the command ---- */

static void database_of(const char *file, const struct options *o, char *into, size_t room)
{
	size_t length = strlen(file);
	if (length > 4 && !strcmp(file + length - 4, ".ini"))
		length -= 4;
	if (o->database)
		snprintf(into, room, "%s", o->database);
	else
		snprintf(into, room, "%.*s.db", (int)length, file);
}

static int report(struct db *db, const char *file, const char *database, const struct options *o, struct err *why)
{
	campaign_counts counts = { 0 };
	int got = campaign_count(db, &counts, why);
	if (got == 0 && o->csv)
		got = campaign_csv(db, file, o->csv, why);
	if (got == 0)
		got = o->json ? campaign_json(db, &counts, database, why) : (campaign_say(&counts, database), 0);
	vec_release(&counts);
	return got == 0 ? say_flush(why) : got;
}

static int only_report(const char *file, const char *database, const struct options *o, struct err *why)
{
	struct db *db;
	if (access(database, R_OK) < 0) {
		err_set(why, "cannot open '%.200s': there is no such campaign yet", database);
		why->code = 3;
		return -1;
	}
	if (db_open(&db, database, why) < 0)
		return -1;
	int got = report(db, file, database, o, why);
	db_close(db);
	return got;
}

static int run(const void *given, char **operands, struct err *why)
{
	const struct options *o = given;
	struct campaign_config config;
	struct campaign k;
	char database[4096];
	database_of(operands[0], o, database, sizeof database);
	int got = config_read(&config, operands[0], why);
	if (got == 0 && o->summary) {
		got = only_report(operands[0], database, o, why);
	} else if (got == 0) {
		got = campaign_open(&k, &config, database, why);
		if (got == 0 && o->repeat)
			got = repeat_one(&k, o, why);
		else if (got == 0 && (got = run_campaign(&k, o, why)) >= 0)
			got = report(k.db, operands[0], database, o, why) < 0 ? -1 : got ? 4 : 0;
		campaign_close(&k);
	}
	config_release(&config);
	return got;
}

#define AT(field) offsetof(struct options, field)
static const struct option list[] = {
	{ 'j', "jobs", OPTION_NUMBER, AT(jobs), "n", "runs at a time (default: as many as processors)", NULL, 1, 256 },
	{ 0, "database", OPTION_TEXT, AT(database), "file", "where results are kept (default: <file> with .db)", NULL, 0, 0 },
	{ 0, "summary", OPTION_FLAG, AT(summary), NULL, "run nothing, tell what is known", NULL, 0, 0 },
	{ 0, "csv", OPTION_TEXT, AT(csv), "file", "write each fault and its outcome", NULL, 0, 0 },
	{ 0, "repeat", OPTION_NUMBER, AT(repeat), "id", "make one fault again and tell what comes of it", NULL, 1, UINT64_MAX },
	{ 'o', "output", OPTION_TEXT, AT(output), "file", "with --repeat: keep its trace", NULL, 0, 0 },
	{ 0, "json", OPTION_FLAG, AT(json), NULL, "one object per line, see raddle-json(5)", NULL, 0, 0 },
	OPTION_HELP, OPTION_LAST
};
static const struct options defaults;

const struct command command_campaign = { "faults", "campaign", "<file.ini>", "Make many faults, one run each, and say what comes of them.",
	STYLE_PLAIN, list, &defaults, sizeof defaults, 1, 1,
	"The file says program, faults, output and detection: raddle-campaign(1).  Killed or interrupted, it goes on where it was.\n"
	"Example: raddle campaign swaptions.ini\n"
	"Exit: 0 done, 1 --repeat came to another outcome, 2 bad command line or configuration, 3 bad input, 4 interrupted.", run };
