/* cli/campaign.c -- raddle campaign: many faults, one run each, and what came of them.  The work is analyses/epa's. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyses/epa/picture.h"
#include "analyses/epa/pool.h"
#include "base/file.h"
#include "base/str.h"
#include "cli/campaign_audit.h"
#include "cli/campaign_say.h"
#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "cli/say.h"
#include "cli/trusted.h"

struct options { const char *database, *csv, *html, *pictures, *output, *workers, *manifest; uint64_t jobs, repeat, lease, audit_seed; bool json, summary, worker, audit, in_full, run, no_shield; };

/* ---- progress ---- */

struct progress { struct ticker ticker; uint64_t done_before; };

static bool tell(void *with, const struct campaign *k)
{
	struct progress *p = with;
	uint64_t made = k->done - p->done_before;
	if (ticker_due(&p->ticker))
		ticker_line("%" PRIu64 " of %" PRIu64 " faults, about %.0f s left", k->done, k->total, p->ticker.said / (double)(made ? made : 1) * (double)(k->total - k->done));
	return !interrupt_came();
}

static int run_pool(struct campaign *k, const char *file, struct pg *pg, unsigned jobs, const struct options *o, struct progress *told, struct err *why)
{
	struct pool p;
	int got = pool_open(&p, k, pg, file, o->lease, !o->worker, why);
	if (got == 0)
		got = pool_run(&p, jobs, tell, told, why);
	if (got >= 0)
		say_note("made %" PRIu64 " of %" PRIu64 " runs at '%s'", p.made, k->total, pg_name(pg));
	pool_close(&p);
	return got;
}

static int run_campaign(struct campaign *k, const char *file, struct pg *pg, const struct options *o, struct err *why)
{
	struct progress p = { .done_before = k->done };
	unsigned jobs = o->jobs ? (unsigned)o->jobs : (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
	if (k->done && k->done < k->total)
		say_note("goes on with fault %" PRIu64 " of %" PRIu64, k->done + 1, k->total);
	k->in_full = o->in_full;
	ticker_seconds(&p.ticker);
	int got = pg ? run_pool(k, file, pg, jobs, o, &p, why) : campaign_run(k, jobs, tell, &p, why);
	ticker_over();
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

/* ---- pictures ---- */

/* "3,17" */
static int pictures_asked(const char *text, fault_ids *out, struct err *why)
{
	char all[1000], *rest = all;
	snprintf(all, sizeof all, "%s", text);
	for (char *word; (word = strsep(&rest, ","));) {
		uint64_t id;
		if (!str_number(word, &id) || !id || strlen(text) >= sizeof all) {
			err_set(why, "--picture: '%.100s' is not numbers of faults, as --csv has them", text);
			why->code = 2;
			return -1;
		}
		vec_push(out, id);
	}
	return 0;
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

static int report(struct db *db, const struct campaign_config *c, const struct campaign_names *n, const struct options *o, struct coverage *page, struct err *why)
{
	campaign_counts counts = { 0 };
	campaign_begun begun = { 0 };
	struct campaign_made made;
	int got = campaign_count(db, &counts, why);
	if (got == 0)
		got = campaign_made(db, c, &counts, &made, why);
	if (got == 0)
		got = campaign_count_begun(db, &begun, why);
	if (got == 0 && o->csv)
		got = campaign_csv(db, &made, n, o->csv, why);
	if (got == 0 && o->html)
		got = coverage_add(page, db, c, n, &made, why);
	if (got == 0)
		got = o->json ? campaign_json(db, &counts, &begun, &made, n, why) : (campaign_say(&counts, &begun, &made, n), 0);
	vec_release(&counts);
	vec_release(&begun);
	return got == 0 ? say_flush(why) : got;
}

/* Pictures for the page: of the faults asked for, or of some. */
static int draw_pictures(struct campaign *k, const struct options *o, struct err *why)
{
	fault_ids ids = { 0 };
	int got = o->pictures ? pictures_asked(o->pictures, &ids, why) : pictures_choose(k->db, &ids, why);
	for (size_t i = 0; i < ids.count && got == 0; i++)
		got = picture_make(k, ids.at[i], why);
	vec_release(&ids);
	return got;
}

static int not_there(const char *database, struct err *why)
{
	err_set(why, "cannot open '%.200s': there is no such campaign yet", database);
	why->code = 3;
	return -1;
}

static int must_be_there(const char *database, struct err *why)
{
	struct stat facts;
	return access(database, R_OK) == 0 && stat(database, &facts) == 0 && facts.st_size > 0 ? 0 : not_there(database, why);
}

static int only_report(const struct campaign_config *c, const struct campaign_names *n, const struct options *o, struct coverage *page, struct err *why)
{
	struct db *db;
	if (db_open(&db, n->database, why) < 0)
		return -1;
	int got = campaign_tables(db, why), begun = got < 0 ? -1 : campaign_begun_in(db, why);
	if (begun == 0)
		got = not_there(n->database, why);
	else
		got = begun < 0 ? -1 : report(db, c, n, o, page, why);
	db_close(db);
	return got;
}

static int whole(const struct campaign_config *c, const struct campaign_names *n, struct pg *pg, const struct options *o, struct coverage *page, struct err *why)
{
	struct campaign k;
	int got = campaign_open(&k, c, n->database, why);
	if (got == 0 && o->repeat) {
		got = repeat_one(&k, o, why);
	} else if (got == 0 && o->audit) {
		got = campaign_audit(&k, n->file, o->manifest, o->audit_seed, o->json, why);
	} else if (got == 0 && (got = run_campaign(&k, n->file, pg, o, why)) >= 0) {
		bool ended = got;
		got = o->html && !ended ? draw_pictures(&k, o, why) : 0;
		if (got == 0 && o->manifest)
			got = campaign_manifest(&k, n->file, o->manifest, why);
		if (got == 0)
			got = report(k.db, c, n, o, page, why);
		got = got < 0 ? -1 : ended ? 4 : 0;
	}
	campaign_close(&k);
	return got;
}

/* ---- one of many that work on a campaign: its own database is nobody's business ---- */

static void remove_folder(const char *folder)
{
	static const char *const names[] = { "own.db", "own.db-lock", "own.db-wal", "own.db-shm" };
	char path[4200];
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		snprintf(path, sizeof path, "%s/%s", folder, names[i]);
		unlink(path);
	}
	rmdir(folder);
}

static int work(const struct campaign_config *c, const char *file, struct pg *pg, const struct options *o, struct err *why)
{
	const char *tmp = getenv("TMPDIR");
	char folder[3000], database[4096];
	struct campaign k;
	snprintf(folder, sizeof folder, "%s/raddle-worker-XXXXXX", tmp && *tmp == '/' ? tmp : "/tmp");
	if (!mkdtemp(folder))
		return err_set(why, "cannot make folder '%.200s': %s", folder, str_error(errno));
	snprintf(database, sizeof database, "%s/own.db", folder);
	int got = campaign_open(&k, c, database, why);
	if (got == 0)
		got = run_campaign(&k, file, pg, o, why);
	campaign_close(&k);
	remove_folder(folder);
	return got > 0 ? 4 : got;
}

/* The password is taken out of what the program under test could see: our arguments and its environment. */
static int reach(struct pg **pg, const struct options *o, struct err *why)
{
	if (!o->workers)
		return 0;
	int got = pg_open(pg, o->workers, why);
	pg_hide((char *)o->workers);
	unsetenv("PGPASSWORD");
	return got;
}

/* The program is one the file names. */
static int may_run(const char *file, const struct campaign_config *c, const struct options *o, struct err *why)
{
	static bool shielded;
	int got = trusted_to_run(file, c->argv.at, o->run, why);
	if (got == 0 && !o->no_shield && !shielded)
		trusted_shield();
	shielded = true;
	return got;
}

static int one_file(const char *file, const struct options *o, struct coverage *page, struct err *why)
{
	struct campaign_config config;
	char database[4096];
	struct campaign_names names = { file, database, o->database != NULL };
	struct pg *pg = NULL;
	database_of(file, o, database, sizeof database);
	int got = config_read(&config, file, why);
	if (got == 0 && (o->summary || o->audit))
		got = must_be_there(database, why);
	if (got == 0 && !o->summary)
		got = may_run(file, &config, o, why);
	if (got == 0)
		got = reach(&pg, o, why);
	if (got == 0)
		got = o->worker ? work(&config, file, pg, o, why) : o->summary ? only_report(&config, &names, o, page, why) : whole(&config, &names, pg, o, page, why);
	pg_close(pg);
	config_release(&config);
	return got;
}

/* What goes together. */
static int check_together(const struct options *o, char **operands, struct err *why)
{
	const char *one = o->database ? "--database" : o->csv ? "--csv" : o->repeat ? "--repeat" : o->pictures ? "--picture" : o->workers ? "--workers" : o->manifest ? "--manifest" : o->audit ? "--audit" : NULL;
	const char *alone = o->summary ? "--summary" : o->repeat ? "--repeat" : NULL;
	if (operands[1] && one)
		return err_set(why, "%s is for one campaign, not for several", one);
	if (o->repeat && (o->html || o->summary))
		return err_set(why, "--repeat makes one fault again; it does not go with %s", o->html ? "--html" : "--summary");
	if (o->audit && (o->summary || o->repeat || o->workers || o->html || o->csv))
		return err_set(why, "--audit makes faults again; it does not go with %s", o->summary ? "--summary" : o->repeat ? "--repeat" : o->workers ? "--workers" : o->html ? "--html" : "--csv");
	if (o->manifest && alone)
		return err_set(why, "--manifest has hashes of what was run; it does not go with %s", alone);
	if (o->workers && alone)
		return err_set(why, "%s runs nothing for others; it does not go with --workers", alone);
	if (o->worker && !o->workers)
		return err_set(why, "--worker needs --workers=<url>, the database it works for");
	if (o->worker && (o->database || o->csv || o->html || o->json || o->manifest))
		return err_set(why, "--worker tells nothing: leave out %s", o->database ? "--database" : o->csv ? "--csv" : o->html ? "--html" : o->json ? "--json" : "--manifest");
	if (o->pictures && (!o->html || o->summary))
		return err_set(why, "--picture is for --html%s", o->summary ? ", and has to run the program, which --summary does not" : "");
	return 0;
}

/* Before anything is done. */
static int check_options(const struct options *o, char **operands, struct err *why)
{
	fault_ids ids = { 0 };
	int got = check_together(o, operands, why);
	if (got == 0 && o->html)
		got = file_writable(o->html, why);
	if (got == 0 && o->manifest && !o->audit)
		got = file_writable(o->manifest, why);
	if (got == 0 && o->pictures)
		got = pictures_asked(o->pictures, &ids, why);
	vec_release(&ids);
	if (got < 0)
		why->code = 2;
	return got;
}

static int run(const void *given, char **operands, struct err *why)
{
	const struct options *o = given;
	struct coverage page = { 0 };
	if (check_options(o, operands, why) < 0)
		return -1;
	int got = 0, ended = 0;
	interrupt_watch();              /* from the first run without a fault on */
	for (; *operands && got >= 0 && !ended; operands++) {
		got = one_file(*operands, o, &page, why);
		ended = got > 0 ? got : 0;
	}
	if (got >= 0 && o->html)
		got = coverage_write(&page, o->html, why);
	coverage_release(&page);
	if (got < 0 && interrupt_came()) {
		err_set(why, "interrupted before any fault was made");
		err_hint(why, "run it again: nothing is lost");
		why->code = 4;
	}
	interrupt_leave();
	return got < 0 ? -1 : ended;
}

#define AT(field) offsetof(struct options, field)
static const struct option list[] = {
	{ 'j', "jobs", OPTION_NUMBER, AT(jobs), "n", "runs at a time (default: as many as processors)", NULL, 1, 256 },
	{ 0, "database", OPTION_TEXT, AT(database), "file", "where results are kept (default: <file> with .db)", NULL, 0, 0 },
	{ 0, "summary", OPTION_FLAG, AT(summary), NULL, "run nothing, tell what is known", NULL, 0, 0 },
	{ 0, "csv", OPTION_TEXT, AT(csv), "file", "write each fault and its outcome", NULL, 0, 0 },
	{ 0, "html", OPTION_TEXT, AT(html), "file", "write a page: bars, source lines, pictures, table", NULL, 0, 0 },
	{ 0, "picture", OPTION_TEXT, AT(pictures), "ids", "with --html: the faults it shows the way of (3,17)", NULL, 0, 0 },
	{ 0, "in-full", OPTION_FLAG, AT(in_full), NULL, "compare every run from a trace of it", NULL, 0, 0 },
	{ 0, "repeat", OPTION_NUMBER, AT(repeat), "id", "make one fault again and tell what comes of it", NULL, 1, UINT64_MAX },
	{ 'o', "output", OPTION_TEXT, AT(output), "file", "with --repeat: keep its trace", NULL, 0, 0 },
	{ 0, "json", OPTION_FLAG, AT(json), NULL, "one object per line, see raddle-json(5)", NULL, 0, 0 },
	{ 0, "manifest", OPTION_TEXT, AT(manifest), "file", "write hashes of tool, program, inputs and results", NULL, 0, 0 },
	{ 0, "audit", OPTION_FLAG, AT(audit), NULL, "make one fault in a hundred again; with --manifest: hold all against it", NULL, 0, 0 },
	{ 0, "audit-seed", OPTION_NUMBER, AT(audit_seed), "n", "with --audit: draws these (default: others each time)", NULL, 1, UINT64_MAX },
	{ 0, "workers", OPTION_TEXT, AT(workers), "url", "share the faults through PostgreSQL: postgres://...", NULL, 0, 0 },
	{ 0, "worker", OPTION_FLAG, AT(worker), NULL, "with --workers: only make runs, tell nothing", NULL, 0, 0 },
	{ 0, "lease", OPTION_TIME, AT(lease), "time", "with --workers: how long until others may take over (default 30s)", NULL, 1, 86400 },
	OPTION_RUN(struct options, run), OPTION_NO_SHIELD(struct options, no_shield), OPTION_MEMORY, OPTION_HELP, OPTION_LAST
};
static const struct options defaults = { .lease = 30 };

const struct command command_campaign = { "faults", "campaign", "<file.ini>...", "Make many faults, one run each, and say what comes of them.",
	STYLE_PLAIN, list, &defaults, sizeof defaults, 1, -1,
	"The file says program, faults, output and detection: raddle-campaign(1).  Killed or interrupted, it goes on where it was.\n"
	"Example: raddle campaign swaptions.ini\n"
	"Exit: 0 done, 1 --repeat or --audit came to another outcome, 2 bad command line or configuration, 3 bad input, 4 interrupted.", run, true };
