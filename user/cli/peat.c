// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* peat.c: the command: a table of verbs. */
#include <stdio.h>
#include <string.h>

#include <peat/peat.h>

#include "cli.h"

static const struct verb verbs[] = {
	{ "trace", trace_main, "print events as they happen" },
	{ "record", record_main, "record events to a perf.data" },
	{ "replay", replay_main, "print the events of a perf.data" },
	{ "convert", convert_main, "make another file of a perf.data" },
	{ "list", list_main, "show the probes, and what they tell" },
	{ "build", build_main, "compile a probe of your own" },
	{ "bench", bench_main, "compare this machine's transports, side by side" },
};

static void print_help(FILE *out)
{
	fputs("Usage: peat COMMAND [OPTION...]\n"
	      "Kernel events, carried by perf event arrays.\n\n",
	      out);
	for (size_t i = 0; i < sizeof(verbs) / sizeof(*verbs); i++)
		fprintf(out, "  peat %-10s %s\n", verbs[i].name, verbs[i].summary);
	fputs("\n  -h, --help      this text; peat COMMAND -h for a command's options\n"
	      "  -V, --version   the version\n",
	      out);
}

static bool is(const char *word, const char *brief, const char *full)
{
	return !strcmp(word, brief) || !strcmp(word, full);
}

/* What was printed is only there once it is written. */
static int finish(void)
{
	if (!fflush(stdout) && !ferror(stdout))
		return 0;
	cli__complain("cannot write to stdout: %m");
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
		return finish();
	}
	if (is(argv[1], "-V", "--version")) {
		puts("peat " PEAT_VERSION);
		return finish();
	}
	for (size_t i = 0; i < sizeof(verbs) / sizeof(*verbs); i++)
		if (!strcmp(argv[1], verbs[i].name))
			return run(&verbs[i], argc - 1, argv + 1);
	cli__complain("there is no command '%s'; peat -h lists them", argv[1]);
	return EXIT_USAGE;
}
