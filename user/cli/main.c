// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* main.c: the command: a table of verbs. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <peat/peat.h>

#include "cli/cli.h"
#include "cli/base/file_limit.h"
#include "cli/base/messages.h"
#include "cli/options/options.h"
#include "cli/recorded/stream_input.h"
#include "cli/run/source_hints.h"
#include "probe.h"

static const struct verb verbs[] = {
	{ "trace", trace_main, "print events as they happen", VERB_TRACE },
	{ "count", count_main, "count events by their fields", VERB_COUNT },
	{ "hist", hist_main, "print histograms of a field", VERB_HIST },
	{ "top", top_main, "count events by their fields, live", VERB_TOP },
	{ "stat", stat_main, "count perf events of a command or of CPUs", VERB_STAT },
	{ "profile", profile_main, "show where the time goes, as a table or a flame graph",
	  VERB_PROFILE },
	{ "record", record_main, "record events to a perf.data", VERB_RECORD },
	{ "replay", replay_main, "print the events of a perf.data", VERB_REPLAY },
	{ "report", report_main, "make a page for a browser of a perf.data: timeline, flame graph",
	  VERB_REPORT },
	{ "convert", convert_main,
	  "convert a perf.data to JSON, a page, folded stacks or a repaired perf.data",
	  VERB_CONVERT },
	{ "agent", agent_main, "send events to files and servers, as a configuration says", 0 },
	{ "recv", recv_main, "receive the events of agents from a stream", 0 },
	{ "list", list_main, "list the probes and their events", VERB_LIST },
	{ "examples", examples_main, "print questions, with the commands that answer them",
	  VERB_EXAMPLES },
	{ "doctor", doctor_main, "check what this machine allows, and whether sources will run",
	  VERB_DOCTOR },
	{ "build", build_main, "compile a BPF program", VERB_BUILD },
	{ "bench", bench_main, "measure this machine's transports, side by side", VERB_BENCH },
	{ "complete", complete_main, NULL, 0 },
};

const struct verb *cli__verb(size_t i)
{
	return i < sizeof(verbs) / sizeof(*verbs) ? &verbs[i] : NULL;
}

static void print_help(FILE *out)
{
	fputs("Usage: peat COMMAND [OPTION...]\n"
	      "Prints, counts and records events of the kernel and of programs.\n\n",
	      out);
	for (size_t i = 0; i < sizeof(verbs) / sizeof(*verbs); i++)
		if (verbs[i].summary)
			fprintf(out, "  peat %-10s %s\n", verbs[i].name, verbs[i].summary);
	fputs("\n  -h, --help      print this help; peat COMMAND -h prints a command's options\n"
	      "  -V, --version   print the version\n\n"
	      "To begin, as root: peat trace exec\n",
	      out);
}

static bool is(const char *word, const char *brief, const char *full)
{
	return !strcmp(word, brief) || !strcmp(word, full);
}

int cli__flush_stdout(void)
{
	if (!fflush(stdout) && !ferror(stdout))
		return 0;
	messages__print("cannot write to stdout: %m");
	return EXIT_FAILED;
}

static int run(const struct verb *verb, int argc, char **argv)
{
	char name[32];
	int status;

	snprintf(name, sizeof(name), "peat %s", verb->name);
	argv[0] = name;
	file_limit__raise();
	status = verb->main(argc, argv);
	if (status == EXIT_FAILED)
		messages__report_no_memory(-errno);
	return stream_input__end(status);
}

static const struct verb *find_verb(const char *name)
{
	for (size_t i = 0; i < sizeof(verbs) / sizeof(*verbs); i++)
		if (!strcmp(name, verbs[i].name))
			return &verbs[i];
	return NULL;
}

static const char *closest_verb(const char *name)
{
	const char *names[sizeof(verbs) / sizeof(*verbs) + 1] = { 0 };

	for (size_t i = 0; i < sizeof(verbs) / sizeof(*verbs); i++)
		names[i] = verbs[i].name;
	return peat_text__closest(name, names);
}

/* Names of probes, and of other tools, are mistaken for commands. */
static int report_unknown(const char *name)
{
	const char *like;

	if (*name == '-')
		messages__print("unknown option '%s': peat -h lists the commands", name);
	else if (probe__find(name) || peat_functions__are(name))
		messages__print("unknown command '%s': it is a source: use peat trace %s", name,
				name);
	else if ((like = source_hints__probe_like(name)))
		messages__print("unknown command '%s': use peat trace %s, which answers the "
				"question of %s",
				name, like, name);
	else if ((like = closest_verb(name)))
		messages__print(
			"unknown command '%s': did you mean %s?  peat -h lists the commands", name,
			like);
	else
		messages__print("unknown command '%s': peat -h lists the commands", name);
	return EXIT_USAGE;
}

/* `words`: those after -h, --help or help. */
static int help(int count, char **words)
{
	static char option[] = "-h";
	char *argv[] = { NULL, option, NULL };
	const struct verb *verb = count ? find_verb(words[0]) : NULL;

	if (verb)
		return run(verb, 2, argv);
	if (count)
		return report_unknown(words[0]);
	print_help(stdout);
	return cli__flush_stdout();
}

int main(int argc, char **argv)
{
	const struct verb *verb;

	if (argc && !strcmp(argv[0], "peat-namer"))
		return peat_namer__main(argc, argv);
	if (argc < 2) {
		print_help(stderr);
		return EXIT_USAGE;
	}
	if (is(argv[1], "-h", "--help") || !strcmp(argv[1], "help"))
		return help(argc - 2, argv + 2);
	if (is(argv[1], "-V", "--version")) {
		puts("peat " PEAT_VERSION);
		return cli__flush_stdout();
	}
	verb = find_verb(argv[1]);
	return verb ? run(verb, argc - 1, argv + 1) : report_unknown(argv[1]);
}
