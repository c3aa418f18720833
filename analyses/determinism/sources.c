/* analyses/determinism/sources.c -- functions by their names: what they keep between calls, and which answer otherwise each time.
 * Those the runtime interposes are OUTCALLs, the others are seen where they are called. */
#include "analyses/determinism/sources.h"

#include <string.h>

/* What is kept where no access is seen, as dependences name it. */
static const char *const kept[] = { [KEPT_GENERATOR] = "the random number generator", [KEPT_ENVIRONMENT] = "the environment",
	[KEPT_END] = KEPT_PROCESS, [KEPT_TOKEN] = "what strtok remembers", [KEPT_LOCALE] = "the locale",
	[KEPT_USERS] = "what functions of users and groups keep", [KEPT_HOSTS] = "what functions of hosts and services keep",
	[KEPT_NUMERALS] = "what functions that write numbers keep", [KEPT_TABLE] = "the hash table of hsearch", [KEPT_NAME] = "the name of a terminal",
	[KEPT_FILES] = "files behind different descriptors" };

const char *kept_name(enum kept what)
{
	return what < sizeof kept / sizeof *kept && kept[what] ? kept[what] : "what a function keeps";
}

#define WRITES(group) KEPT_##group, true, false
#define READS(group)  KEPT_##group, false, false
#define ANSWERS       KEPT_NOTHING, false, true
static const struct { const char *name; struct source source; } sources[] = {
	{ "rand", { WRITES(GENERATOR) } }, { "random", { WRITES(GENERATOR) } }, { "lrand48", { WRITES(GENERATOR) } },
	{ "mrand48", { WRITES(GENERATOR) } }, { "drand48", { WRITES(GENERATOR) } }, { "srand", { WRITES(GENERATOR) } },
	{ "srandom", { WRITES(GENERATOR) } }, { "srand48", { WRITES(GENERATOR) } }, { "initstate", { WRITES(GENERATOR) } },
	{ "setstate", { WRITES(GENERATOR) } }, { "seed48", { WRITES(GENERATOR) } }, { "lcong48", { WRITES(GENERATOR) } },
	{ "getenv", { READS(ENVIRONMENT) } }, { "secure_getenv", { READS(ENVIRONMENT) } }, { "setenv", { WRITES(ENVIRONMENT) } },
	{ "unsetenv", { WRITES(ENVIRONMENT) } }, { "putenv", { WRITES(ENVIRONMENT) } }, { "clearenv", { WRITES(ENVIRONMENT) } },
	{ "strtok", { WRITES(TOKEN) } }, { "setlocale", { WRITES(LOCALE) } },
	{ "getpwnam", { WRITES(USERS) } }, { "getpwuid", { WRITES(USERS) } }, { "getpwent", { WRITES(USERS) } },
	{ "getgrnam", { WRITES(USERS) } }, { "getgrgid", { WRITES(USERS) } }, { "getgrent", { WRITES(USERS) } },
	{ "gethostbyname", { WRITES(HOSTS) } }, { "gethostbyaddr", { WRITES(HOSTS) } }, { "getservbyname", { WRITES(HOSTS) } },
	{ "getservbyport", { WRITES(HOSTS) } }, { "getprotobyname", { WRITES(HOSTS) } },
	{ "ecvt", { WRITES(NUMERALS) } }, { "fcvt", { WRITES(NUMERALS) } }, { "l64a", { WRITES(NUMERALS) } },
	{ "hcreate", { WRITES(TABLE) } }, { "hsearch", { WRITES(TABLE) } }, { "hdestroy", { WRITES(TABLE) } },
	{ "ttyname", { WRITES(NAME) } }, { "ptsname", { WRITES(NAME) } },
	{ "mkstemp", { ANSWERS } }, { "mkstemp64", { ANSWERS } }, { "mkostemp", { ANSWERS } }, { "mkostemp64", { ANSWERS } },
	{ "mkstemps", { ANSWERS } }, { "mkostemps", { ANSWERS } }, { "mkdtemp", { ANSWERS } }, { "mktemp", { ANSWERS } },
	{ "tmpnam", { ANSWERS } }, { "tmpnam_r", { ANSWERS } }, { "tempnam", { ANSWERS } }, { "getloadavg", { ANSWERS } },
	{ "sysinfo", { ANSWERS } }, { "uuid_generate", { ANSWERS } }, { "uuid_generate_random", { ANSWERS } }, { "uuid_generate_time", { ANSWERS } }
};

const struct source *source_named(const char *name, size_t length)
{
	for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
		if (strlen(sources[i].name) == length && !memcmp(sources[i].name, name, length))
			return &sources[i].source;
	return NULL;
}
