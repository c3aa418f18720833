/* cli/reporting.h -- the options by which a command tells its findings, the same for every command that has some.
 *
 *     struct options { ...; struct reporting report; };
 *     static const struct option list[] = { ..., REPORTING_OPTIONS(struct options, report), OPTION_HELP, OPTION_LAST };
 *     if (reporting_begin(&telling, &options->report, "predict", why) < 0) return -1;          before any work: nothing was done yet
 *     ... findings_finish(&found); ...
 *     code = reporting_end(&telling, &found, &report, why);                          told, files written; the exit code */
#ifndef RADDLE_CLI_REPORTING_H
#define RADDLE_CLI_REPORTING_H

#include "cli/command.h"
#include "report/baseline.h"
#include "report/report.h"
#include "report/suppress.h"

struct reporting { bool json; const char *sarif, *junit, *html, *baseline, *suppressions, *rules; };

#define REPORTING_ROW(type, at, name, what, value, help) \
	{ 0, name, what, offsetof(type, at), value, help, NULL, 0, 0 }
#define REPORTING_OPTIONS(type, r) \
	REPORTING_ROW(type, r.json, "json", OPTION_FLAG, NULL, "one object per line, see raddle-json(5)"), \
	REPORTING_ROW(type, r.sarif, "sarif", OPTION_TEXT, "file", "write SARIF 2.1.0, with the steps of each thread"), \
	REPORTING_ROW(type, r.junit, "junit", OPTION_TEXT, "file", "write JUnit XML, a test case each"), \
	REPORTING_ROW(type, r.html, "html", OPTION_TEXT, "file", "write one page: threads side by side, the order, the source"), \
	REPORTING_ROW(type, r.baseline, "baseline", OPTION_TEXT, "file", "of an earlier --json: only what is new counts"), \
	REPORTING_ROW(type, r.suppressions, "suppressions", OPTION_TEXT, "file", "leave out what its rules match; ThreadSanitizer's files do"), \
	REPORTING_ROW(type, r.rules, "gen-suppressions", OPTION_TEXT, "file", "write rules that leave out what was found")

struct telling {
	const struct reporting *how;
	struct suppressions *suppressions;      /* NULL: none given */
	struct baseline baseline;
	char *root;                             /* where we were: names of files are relative to that, wherever the program went */
};

/* Reads what is to be read and looks whether files can be written.  0, or -1 and why: nothing to end then. */
int  reporting_begin(struct telling *t, const struct reporting *how, const char *command, struct err *why);
/* Suppressions and baseline are asked, everything is told.  `about` has all but findings, baseline, gone and root, which are filled in.
 * The exit code, report_exit(); or -1 and why.  Ends `t` either way. */
int  reporting_end(struct telling *t, struct findings *found, struct report *about, struct err *why);
void reporting_drop(struct telling *t);         /* instead of reporting_end(), when there is nothing to tell */

#endif
