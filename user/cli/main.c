// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* main.c: the command: a table of verbs. */
#include <stdio.h>
#include <string.h>

#include <peat/peat.h>

#include "cli.h"
#include "messages.h"

static const struct verb verbs[] = {
	{ "trace", trace_main, "print events as they happen" },
	{ "count", count_main, "count events by their fields" },
	{ "hist", hist_main, "print histograms of a field" },
	{ "top", top_main, "count events by their fields, live" },
	{ "stat", stat_main, "count perf events of a command or of CPUs" },
	{ "profile", profile_main, "show where the time goes, as a table or a flame graph" },
	{ "record", record_main, "record events to a perf.data" },
	{ "replay", replay_main, "print the events of a perf.data" },
	{ "convert", convert_main,
	  "convert a perf.data to JSON, folded stacks or a repaired perf.data" },
	{ "list", list_main, "list the probes and their events" },
	{ "build", build_main, "compile a BPF program" },
	{ "bench", bench_main, "measure this machine's transports, side by side" },
};

static void print_help(FILE *out)
{
	fputs("Usage: peat COMMAND [OPTION...]\n"
	      "Carries kernel events through perf event arrays.\n\n",
	      out);
	for (size_t i = 0; i < sizeof(verbs) / sizeof(*verbs); i++)
		fprintf(out, "  peat %-10s %s\n", verbs[i].name, verbs[i].summary);
	fputs("\n  -h, --help      print this help; peat COMMAND -h prints a command's options\n"
	      "  -V, --version   print the version\n",
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

	snprintf(name, sizeof(name), "peat %s", verb->name);
	argv[0] = name;
	return verb->main(argc, argv);
}

int main(int argc, char **argv)
{
	if (argc < 2) {
		print_help(stderr);
		return EXIT_USAGE;
	}
	if (is(argv[1], "-h", "--help")) {
		print_help(stdout);
		return cli__flush_stdout();
	}
	if (is(argv[1], "-V", "--version")) {
		puts("peat " PEAT_VERSION);
		return cli__flush_stdout();
	}
	for (size_t i = 0; i < sizeof(verbs) / sizeof(*verbs); i++)
		if (!strcmp(argv[1], verbs[i].name))
			return run(&verbs[i], argc - 1, argv + 1);
	messages__print("unknown command '%s': peat -h lists the commands", argv[1]);
	return EXIT_USAGE;
}
