/* cli/say.c -- see say.h.  Colour and pager are decided once, before the pager takes the terminal away. */
#include "cli/say.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/str.h"
#include "cli/clean.h"
#include "drive/salvage.h"
#include "report/escape.h"

static int coloured = -1;
static pid_t pager;

void say_error(const struct err *why)
{
	fflush(stdout);
	fputs("raddle: ", stderr);
	escape_text(stderr, why->text);
	if (why->hint[0]) {
		fputs("\nhint: ", stderr);
		escape_text(stderr, why->hint);
	}
	putc('\n', stderr);
}

void say_note(const char *format, ...)
{
	va_list args;
	char *text = NULL;
	va_start(args, format);
	fputs("raddle: ", stderr);
	if (vasprintf(&text, format, args) >= 0)
		escape_text(stderr, text);
	putc('\n', stderr);
	free(text);
	va_end(args);
}

const char *colour(enum colour c)
{
	if (coloured < 0) {
		const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
		coloured = isatty(1) && !(no && *no) && !(term && !strcmp(term, "dumb"));
	}
	return coloured ? clean_mark((enum mark)c) : "";
}

void pager_begin(void)
{
	const char *command = getenv("RADDLE_PAGER");
	int ends[2];
	colour(COLOUR_OFF);
	if (!command)
		command = getenv("PAGER");
	if (!command)
		command = "less";
	if (!isatty(1) || !*command || !strcmp(command, "cat") || pipe2(ends, O_CLOEXEC) < 0)
		return;
	fflush(stdout);
	pager = fork();
	if (pager == 0) {
		dup2(ends[0], 0);
		setenv("LESS", "FRX", 0);
		execlp("sh", "sh", "-c", command, (char *)NULL);
		_exit(127);
	}
	if (pager > 0)
		dup2(ends[1], 1);
	close(ends[0]);
	close(ends[1]);
}

void pager_end(void)
{
	if (pager <= 0)
		return;
	fflush(stdout);
	int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (nowhere >= 0) {
		dup2(nowhere, 1);                       /* the pager sees the end */
		close(nowhere);
	}
	signal(SIGINT, SIG_IGN);
	while (waitpid(pager, NULL, 0) < 0 && errno == EINTR)
		;
	pager = 0;
}

bool on_terminal(void)
{
	return pager > 0 || isatty(1);
}

int say_flush(struct err *why)
{
	if (!fflush(stdout) && !ferror(stdout))
		return 0;
	err_set(why, "cannot write to standard output: %s", str_error(errno ? errno : EIO));
	why->code = 4;
	return -1;
}

int open_trace(struct trace **out, char **operands, bool salvage, struct err *why)
{
	const char *path = operands[0] ? operands[0] : TRACE_DEFAULT;
	struct trace_options options = { .salvage = salvage };
	if (trace_open(out, path, &options, why) == 0) {
		if (trace_salvaged(*out))
			say_note("'%s' is damaged: %s", path, trace_salvaged(*out));
		return 0;
	}
	if (salvage_is_there(path))
		err_hint(why, "its recorder was killed: 'raddle salvage %.200s' puts all that was executed into it", path);
	else if (!operands[0] && access(path, F_OK) < 0 && !why->hint[0])
		err_hint(why, "run 'raddle record -- <program>' first, or name a trace");
	why->code = why->code ? why->code : 3;
	return -1;
}
