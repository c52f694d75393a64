// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* peat-agent/main.c: peat-agent: its options. */
#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <peat/peat.h>

#include "probe.h"
#include "program.h"

#define DEFAULT_CONFIG "/etc/peat/agent.yaml"
#define PATHS_MAX      32

enum { OPTION_CHECK = 256, OPTION_STATUS, OPTION_RELOAD, OPTION_SOCKET, OPTION_SETUP };

struct arguments {
	const char *paths[PATHS_MAX + 1];
	size_t path_count;
	const char *socket;
	int verbose, action;
	bool json;
};

static const struct argp_option rows[] = {
	{ "config", 'c', "PATH", 0,
	  "configuration, a file or a directory of files NAME.yaml, several times; "
	  "default: " DEFAULT_CONFIG,
	  0 },
	{ "check", OPTION_CHECK, NULL, 0, "check the configuration, and end", 0 },
	{ "status", OPTION_STATUS, NULL, 0, "print the ledger of the agent that runs", 0 },
	{ "reload", OPTION_RELOAD, NULL, 0, "let the agent that runs read its configuration", 0 },
	{ "stream-setup", OPTION_SETUP, NULL, 0,
	  "make the streams that outputs send to, or compare them with the configuration", 0 },
	{ "socket", OPTION_SOCKET, "PATH", 0,
	  "where that agent listens; default: as the configuration says", 0 },
	{ "json", 'j', NULL, 0, "print the status as JSON", 0 },
	{ "verbose", 'v', NULL, 0, "print more messages, twice: all", 0 },
	{ "help", 'h', NULL, 0, "print this help", 0 },
	{ "version", 'V', NULL, 0, "print the version", 0 },
	{ 0 },
};

static void take_path(struct arguments *arguments, const char *path, struct argp_state *state)
{
	if (arguments->path_count == PATHS_MAX)
		argp_error(state, "more than %d paths", PATHS_MAX);
	arguments->paths[arguments->path_count++] = path;
}

static void take_action(struct arguments *arguments, int key, struct argp_state *state)
{
	if (arguments->action)
		argp_error(state,
			   "--check, --status, --reload and --stream-setup exclude each other");
	arguments->action = key;
}

static error_t take(int key, char *value, struct argp_state *state)
{
	struct arguments *arguments = state->input;

	switch (key) {
	case 'c':
		take_path(arguments, value, state);
		return 0;
	case 'j':
		arguments->json = true;
		return 0;
	case 'v':
		arguments->verbose++;
		return 0;
	case 'h':
		argp_state_help(state, stdout, ARGP_HELP_STD_HELP);
		return 0;
	case 'V':
		puts("peat-agent " PEAT_VERSION);
		exit(0);
	case OPTION_CHECK:
	case OPTION_STATUS:
	case OPTION_RELOAD:
	case OPTION_SETUP:
		take_action(arguments, key, state);
		return 0;
	case OPTION_SOCKET:
		arguments->socket = value;
		return 0;
	case ARGP_KEY_ARG:
		argp_error(state, "unexpected '%s': the configuration names the sources", value);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static bool find_probe(const char *name, const void **object, size_t *bytes)
{
	const struct probe *probe = probe__find(name);

	if (!probe)
		return false;
	*object = probe->object;
	*bytes = probe->object_bytes;
	return true;
}

static int ask(const struct arguments *arguments, const struct peat_agent *agent)
{
	const char *path = arguments->socket ?: peat_agent__socket(agent);

	if (!path) {
		program__print("the configuration names no socket: add the setting socket to "
			       "agent, or give --socket");
		return EXIT_USAGE;
	}
	return control__ask(path, arguments->action == OPTION_RELOAD ? "reload"
				  : arguments->json		     ? "status-json"
								     : "status");
}

static void print_line(void *arg, const char *line)
{
	(void)arg;
	puts(line);
}

static int set_up_streams(struct peat_agent *agent)
{
	int err = peat_agent__set_up(agent, print_line, NULL);

	if (err == -ENOENT)
		program__print("the configuration names no stream");
	return err ? EXIT_FAILED : 0;
}

static int explain_failure(const struct arguments *arguments, int err)
{
	if (err == ENOENT && !strcmp(arguments->paths[0], DEFAULT_CONFIG))
		program__print("write it, or name another file with -c: peat-agent.yaml(5) has "
			       "examples");
	return err == EINVAL ? EXIT_USAGE : EXIT_FAILED;
}

static int act(const struct arguments *arguments)
{
	const struct peat_agent_opts opts = { .sz = sizeof(opts),
					      .paths = arguments->paths,
					      .find_probe = find_probe };
	struct peat_agent *agent = peat_agent__new(&opts);
	int status;

	if (!agent)
		return explain_failure(arguments, errno);
	if (arguments->action == OPTION_CHECK)
		status = peat_agent__check(agent) ? EXIT_USAGE : 0;
	else if (arguments->action == OPTION_SETUP)
		status = set_up_streams(agent);
	else if (arguments->action)
		status = ask(arguments, agent);
	else
		status = serve__run(agent);
	peat_agent__free(agent);
	return status;
}

int main(int argc, char **argv)
{
	const struct argp argp = { .options = rows,
				   .parser = take,
				   .doc = "Runs pipelines of events, from sources to outputs, as a "
					  "configuration says: peat-agent.yaml(5)." };
	struct arguments arguments = { 0 };

	argp_err_exit_status = EXIT_USAGE;
	if (argp_parse(&argp, argc, argv, ARGP_NO_HELP, NULL, &arguments))
		return EXIT_USAGE;
	if (!arguments.path_count)
		arguments.paths[arguments.path_count++] = DEFAULT_CONFIG;
	program__set_verbosity(arguments.verbose);
	return act(&arguments);
}
