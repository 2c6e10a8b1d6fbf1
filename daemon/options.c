/*
 * options.c
 *		Settings of the daemon: command line and configuration file.
 *
 * One table defines every setting with its range; it is used by file, options,
 * --help and the check.  Values are checked individually.  Whether the socket
 * can be created or a depth suits a device is determined where the value is
 * used.
 */
#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <pwd.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/un.h>

#include "log.h"

#define DEFAULT_SOCKET "/run/ssdpar/ssdpard.sock"

typedef enum Kind
{
	PATH,
	UIDS,
	NUMBER,
	CHOICE,
} Kind;

/* Invariant: names are unique, and min <= default_value <= max. */
typedef struct Setting
{
	const char *name;
	Kind		kind;
	size_t		offset;
	int			min;
	int			max;
	int			default_value;
	bool		reloads;		/* by SIGHUP; otherwise a restart is needed */
	const char *words;			/* for CHOICE: separated by blanks */
	const char *help;
} Setting;

#define AT(member) offsetof(SsdpardOptions, member)
#define LONGEST_SOCKET ((int) sizeof(((struct sockaddr_un *) 0)->sun_path) - 1)

static const Setting settings[] = {
	{"socket", PATH, AT(socket), 0, LONGEST_SOCKET, 0, false, NULL,
	"path of the socket (" DEFAULT_SOCKET ")"},
	{"allowed_uids", UIDS, AT(uids), 0, 0, 0, true, NULL,
	"users that may connect, names or numbers with commas (own)"},
	{"max_sessions", NUMBER, AT(max_sessions), 1, 10000, 1000, true, NULL,
	"sessions at a time"},
	{"max_queue", NUMBER, AT(max_queue), 64, 1048576, 65536, false, NULL,
	"maximum number of waiting ranges of all sessions"},
	{"max_files", NUMBER, AT(max_files), 0, 1048576, 0, true, NULL,
	"maximum number of open descriptors, 0: as many as the system allows"},
	{"device_depth", NUMBER, AT(device_depth), 0, 1024, 0, true, NULL,
	"maximum reads outstanding on one device, 0: saturation depth"},
	{"random_deadline_ms", NUMBER, AT(random_deadline_ms), 1, 60000, 20, true,
	NULL, "longest wait of random reads while others wait"},
	{"sequential_deadline_ms", NUMBER, AT(sequential_deadline_ms), 1, 60000,
	15, true, NULL, "longest wait of sequential reads while others wait"},
	{"max_request_kb", NUMBER, AT(max_request_kb), 64, 1024, 256, false, NULL,
	"longest single read"},
	{"threads", NUMBER, AT(threads), 1, 256, 16, false, NULL,
	"threads that read if io_uring is not available"},
	{"method", CHOICE, AT(method), 0, 2, SSDPARD_USE_BEST, false,
	"auto ring threads", "how to read: auto, ring or threads"},
	{"trace", PATH, AT(trace), 0, SSDPARD_PATH - 1, 0, false, NULL,
	"file that lists the reads from devices, for ssdsim (none)"},
	{"log_level", CHOICE, AT(log_level), 0, 3, SSDPARD_LOG_INFO, true,
	"error warning info debug", "error, warning, info or debug"},
};

#define NSETTINGS ((int) (sizeof(settings) / sizeof(settings[0])))

void
ssdpard_options_help(void)
{
	fputs("ssdpard reads files into the page cache for sessions of PostgreSQL."
		  "\n\n"
		  "Usage:\n  ssdpard [OPTION]...\n\n"
		  "Options:\n"
		  "  --config=FILE      read settings from FILE (name = value)\n"
		  "  --check-config     check the settings and exit\n"
		  "  --ready-fd=N       write a byte to descriptor N when ready\n"
		  "  --parent-fd=N      exit when the other end of the pipe N is closed\n"
		  "  --help             show this help\n"
		  "  --version          show the version\n\n"
		  "Settings, in the file or as --name=value, which overrides it:\n",
		  stdout);
	for (int i = 0; i < NSETTINGS; i++)
	{
		const Setting *setting = &settings[i];

		printf("  %-22s %s", setting->name, setting->help);
		if (setting->kind == NUMBER)
			printf(" (%d; %d to %d)", setting->default_value, setting->min,
				   setting->max);
		putchar('\n');
	}
	fputs("\nOn SIGHUP, the daemon reads its settings again.  On SIGTERM, it "
		  "finishes the\noutstanding reads and exits.\n", stdout);
}

static void
set_defaults(SsdpardOptions *options)
{
	memset(options, 0, sizeof(*options));
	strcpy(options->socket, DEFAULT_SOCKET);
	for (int i = 0; i < NSETTINGS; i++)
		if (settings[i].kind == NUMBER || settings[i].kind == CHOICE)
			*(int *) ((char *) options + settings[i].offset) =
				settings[i].default_value;
}

/* strtol alone would accept blanks, signs and an empty string. */
static bool
parse_number(const char *text, long min, long max, long *value)
{
	char	   *end;

	errno = 0;
	*value = strtol(text, &end, 10);
	return *text >= '0' && *text <= '9' && *end == '\0' && errno == 0 &&
		*value >= min && *value <= max;
}

static bool
parse_uid(const char *word, uid_t *uid)
{
	long		number;
	struct passwd *entry;

	/* (uid_t) -1 is not a user: to chown(2) it means "no change" */
	if (parse_number(word, 0, (long) UINT_MAX - 1, &number))
	{
		*uid = (uid_t) number;
		return true;
	}
	entry = getpwnam(word);
	if (entry != NULL)
		*uid = entry->pw_uid;
	return entry != NULL;
}

/* On failure, OPTIONS may already contain the first users of the list. */
static bool
parse_uids(const char *text, SsdpardOptions *options, char *problem)
{
	char		copy[SSDPARD_PATH];
	char	   *save;

	options->nuids = 0;
	if (snprintf(copy, sizeof(copy), "%s", text) >= (int) sizeof(copy))
		return ssdpard_fail(problem, "allowed_uids is too long; nothing was "
							"started; name at most %d users",
							SSDPARD_MAX_UIDS);
	for (char *word = strtok_r(copy, ", \t", &save); word != NULL;
		 word = strtok_r(NULL, ", \t", &save))
	{
		if (options->nuids == SSDPARD_MAX_UIDS)
			return ssdpard_fail(problem, "allowed_uids names more than %d "
								"users; name fewer", SSDPARD_MAX_UIDS);
		if (!parse_uid(word, &options->uids[options->nuids]))
			return ssdpard_fail(problem, "allowed_uids: there is no user "
								"\"%s\"; give names or numbers of users with "
								"commas between them", word);
		options->nuids++;
	}
	return options->nuids > 0 ||
		ssdpard_fail(problem, "allowed_uids is empty, so that no user "
					 "could connect; name a user, or leave the setting out "
					 "for the daemon's own");
}

/*
 * Must be absolute, as systemd and the supervisor use different directories.
 */
static bool
parse_path(const Setting *setting, const char *text, char *path,
		   char *problem)
{
	if (text[0] != '/')
		return ssdpard_fail(problem, "%s \"%s\" is no absolute path; give "
							"one that begins with /", setting->name, text);
	if (strlen(text) > (size_t) setting->max)
		return ssdpard_fail(problem, "%s's path is longer than the %d bytes "
							"that the system allows; choose a shorter one",
							setting->name, setting->max);
	strcpy(path, text);
	return true;
}

/* The value is the index of the word among the setting's words. */
static bool
parse_choice(const Setting *setting, const char *text, int *value,
			 char *problem)
{
	size_t		length = strlen(text);
	const char *at = setting->words;

	for (int i = setting->min; i <= setting->max; i++)
	{
		size_t		word = strcspn(at, " ");

		if (word == length && strncasecmp(at, text, length) == 0)
		{
			*value = i;
			return true;
		}
		at += word + strspn(at + word, " ");
	}
	return ssdpard_fail(problem, "%s \"%s\" is not understood; give one of: "
						"%s", setting->name, text, setting->words);
}

/* All settings get their values here, from any source. */
static bool
apply(const Setting *setting, const char *text, SsdpardOptions *options,
	  char *problem)
{
	void	   *member = (char *) options + setting->offset;
	long		number;

	switch (setting->kind)
	{
		case PATH:
			return parse_path(setting, text, member, problem);
		case UIDS:
			return parse_uids(text, options, problem);
		case CHOICE:
			return parse_choice(setting, text, member, problem);
		case NUMBER:
			if (!parse_number(text, setting->min, setting->max, &number))
				return ssdpard_fail(problem, "%s \"%s\" is not a whole number "
									"from %d to %d; it means: %s",
									setting->name, text, setting->min,
									setting->max, setting->help);
			*(int *) member = (int) number;
			return true;
	}
	return false;
}

/*
 * File format: name = value lines, # begins a comment, values may be quoted.
 */

/* Removes blanks and one pair of single quotes, as in postgresql.conf. */
static char *
trim(char *text)
{
	size_t		length;

	text += strspn(text, " \t\r\n");
	length = strlen(text);
	while (length > 0 && strchr(" \t\r\n", text[length - 1]) != NULL)
		text[--length] = '\0';
	if (length >= 2 && text[0] == '\'' && text[length - 1] == '\'')
	{
		text[length - 1] = '\0';
		text++;
	}
	return text;
}

/* Modifies LINE. */
static bool
apply_line(char *line, SsdpardOptions *options, char *problem)
{
	char	   *name = trim(line);
	char	   *equals = strchr(line, '=');

	if (name[0] == '\0' || name[0] == '#')
		return true;
	if (equals == NULL)
		return ssdpard_fail(problem, "\"%.60s\" is no setting; write name = "
							"value", name);
	*equals = '\0';
	name = trim(line);
	for (int i = 0; i < NSETTINGS; i++)
		if (strcmp(settings[i].name, name) == 0)
			return apply(&settings[i], trim(equals + 1), options, problem);
	return ssdpard_fail(problem, "there is no setting \"%.60s\"; ssdpard "
						"--help lists them", name);
}

/* Stops at the first error and puts file and line before the message. */
static bool
read_file(const char *path, SsdpardOptions *options, char *problem)
{
	FILE	   *file = fopen(path, "re");
	char		line[2 * SSDPARD_PATH];
	char		reason[SSDPARD_PROBLEM / 2];
	bool		good = true;
	int			number = 0;

	if (file == NULL)
		return ssdpard_fail(problem, "could not open the configuration file "
							"\"%.200s\": %s; name another one, or start "
							"without --config", path, strerror(errno));
	while (good && fgets(line, sizeof(line), file) != NULL)
	{
		number++;
		good = apply_line(line, options, problem);
	}
	if (!good)
	{
		/*
		 * prefix apply_line's message in the same buffer with file and line
		 */
		snprintf(reason, sizeof(reason), "%s", problem);
		ssdpard_fail(problem, "%.200s, line %d: %s", path, number, reason);
	}
	else if (ferror(file))
		good = ssdpard_fail(problem, "could not read the configuration file "
							"\"%.200s\": %s", path, strerror(errno));
	fclose(file);
	return good;
}

/* Command line. */

enum
{
	OPTION_CONFIG = NSETTINGS + 1,
	OPTION_CHECK,
	OPTION_READY,
	OPTION_PARENT,
	OPTION_HELP,
	OPTION_VERSION,
	NOPTIONS = NSETTINGS + 7
};

/* Each setting is an option of the same name, numbered by its index + 1. */
static void
list_options(struct option *list)
{
	static const struct option others[] = {
		{"config", required_argument, NULL, OPTION_CONFIG},
		{"check-config", no_argument, NULL, OPTION_CHECK},
		{"ready-fd", required_argument, NULL, OPTION_READY},
		{"parent-fd", required_argument, NULL, OPTION_PARENT},
		{"help", no_argument, NULL, OPTION_HELP},
		{"version", no_argument, NULL, OPTION_VERSION},
		{NULL, 0, NULL, 0},
	};

	for (int i = 0; i < NSETTINGS; i++)
		list[i] = (struct option){settings[i].name, required_argument, NULL,
								  i + 1};
	memcpy(list + NSETTINGS, others, sizeof(others));
}

/*
 * Handles one option: an action, a descriptor, or a setting given by number.
 */
static bool
apply_option(int option, SsdpardCommand *command, SsdpardOptions *options,
			 char *problem)
{
	long		number;

	switch (option)
	{
		case OPTION_CONFIG:
			command->config = optarg;
			return true;
		case OPTION_CHECK:
			command->action = SSDPARD_CHECK_CONFIG;
			return true;
		case OPTION_HELP:
			command->action = SSDPARD_HELP;
			return true;
		case OPTION_VERSION:
			command->action = SSDPARD_VERSION;
			return true;
		case OPTION_READY:
			if (!parse_number(optarg, 0, INT_MAX, &number))
				return ssdpard_fail(problem, "ready-fd \"%s\" is no "
									"descriptor; give its number", optarg);
			command->ready_fd = (int) number;
			return true;
		case OPTION_PARENT:
			if (!parse_number(optarg, 0, INT_MAX, &number))
				return ssdpard_fail(problem, "parent-fd \"%s\" is no "
									"descriptor; give its number", optarg);
			command->parent_fd = (int) number;
			return true;
		default:
			return apply(&settings[option - 1], optarg, options, problem);
	}
}

/* getopt_long permutes argv, which is harmless as there are no operands. */
static bool
read_command_line(SsdpardCommand *command, SsdpardOptions *options,
				  char *problem)
{
	struct option list[NOPTIONS];
	int			option;

	list_options(list);
	command->action = SSDPARD_RUN;
	command->config = NULL;
	command->ready_fd = -1;
	command->parent_fd = -1;
	optind = 0;					/* glibc: start over */
	opterr = 0;
	while ((option = getopt_long(command->argc, command->argv, ":", list,
								 NULL)) != -1)
	{
		if (option == ':' || option == '?')
			return ssdpard_fail(problem, option == ':'
								? "option \"%s\" needs a value; see "
								"ssdpard --help"
								: "there is no option \"%s\"; see "
								"ssdpard --help",
								command->argv[optind - 1]);
		if (!apply_option(option, command, options, problem))
			return false;
		if (command->action == SSDPARD_HELP ||
			command->action == SSDPARD_VERSION)
			return true;
	}
	return optind == command->argc ||
		ssdpard_fail(problem, "\"%s\" is no option; see ssdpard --help",
					 command->argv[optind]);
}

static bool
parse(SsdpardCommand *command, SsdpardOptions *options, char *problem)
{
	/* first to find --config and to let --help and errors end it */
	set_defaults(options);
	if (!read_command_line(command, options, problem))
		return false;
	if (command->config == NULL || command->action == SSDPARD_HELP ||
		command->action == SSDPARD_VERSION)
		return true;

	/*
	 * start over: the file overrides defaults, and options override the file
	 */
	set_defaults(options);
	return read_file(command->config, options, problem) &&
		read_command_line(command, options, problem);
}

bool
ssdpard_options_parse(int argc, char **argv, SsdpardCommand *command,
					  SsdpardOptions *options, char problem[SSDPARD_PROBLEM])
{
	command->argc = argc;
	command->argv = argv;
	return parse(command, options, problem);
}

bool
ssdpard_options_reload(const SsdpardCommand *command, SsdpardOptions *options,
					   const char **changed_in_vain,
					   char problem[SSDPARD_PROBLEM])
{
	SsdpardCommand again = *command;
	SsdpardOptions fresh;		/* all or nothing: OPTIONS change only at the
								 * end */

	*changed_in_vain = NULL;
	if (!parse(&again, &fresh, problem))
		return false;
	for (int i = 0; i < NSETTINGS; i++)
	{
		char	   *old = (char *) options + settings[i].offset;
		char	   *new = (char *) &fresh + settings[i].offset;
		size_t		size = settings[i].kind == PATH ? SSDPARD_PATH :
			sizeof(int);

		if (settings[i].reloads || memcmp(old, new, size) == 0)
			continue;
		*changed_in_vain = settings[i].name;
		memcpy(new, old, size);
	}
	*options = fresh;
	return true;
}
