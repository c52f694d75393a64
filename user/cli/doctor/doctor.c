// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* doctor.c: peat doctor: what this machine allows, and whether sources will run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/base/json_text.h"
#include "cli/base/messages.h"
#include "cli/base/terminal_text.h"
#include "cli/cli.h"
#include "cli/doctor/doctor_checks.h"
#include "cli/doctor/doctor_needs.h"
#include "cli/doctor/doctor_source.h"
#include "cli/options/options.h"

struct diagnosis {
	const char *name;
	bool starts;
	bool has_caps;	/* `caps` are known */
	uint64_t caps;	/* that it needs */
	char *messages; /* of its start; owned */
};

static void diagnose(struct diagnosis *diagnosis, const struct options *options, const char *name)
{
	*diagnosis = (struct diagnosis){ .name = name };
	diagnosis->starts =
		doctor_source__starts(options, name, DOCTOR_AS_IS, &diagnosis->messages);
	diagnosis->has_caps =
		diagnosis->starts && doctor_needs__find(options, name, &diagnosis->caps);
}

/* ---- text ------------------------------------------------------------------------------------ */

/* The messages of a child are escaped already. */
static void print_messages(const char *messages)
{
	for (const char *at = messages; at && *at;) {
		size_t bytes = strcspn(at, "\n");

		printf("           %.*s\n", (int)bytes, at);
		at += bytes + (at[bytes] == '\n');
	}
}

static void print_causes(const struct diagnosis *diagnosis, const struct doctor_checks *checks)
{
	for (size_t i = 0; i < checks->count; i++) {
		const struct peat_check *check = &checks->at[i];

		if (!doctor_checks__explains(checks, i, diagnosis->messages ?: ""))
			continue;
		terminal_text__print(stdout, "           cause: %s: %s\n", check->name,
				     check->found);
		if (check->remedy)
			printf("           remedy: %s\n", check->remedy);
	}
}

static void print_diagnosis(const struct diagnosis *diagnosis, const struct doctor_checks *checks)
{
	const char *name;

	terminal_text__print(stdout, "  %-7s  %s", diagnosis->starts ? "ok" : "missing",
			     diagnosis->name);
	fputs(diagnosis->starts ? ": will run" : ": will not run", stdout);
	for (unsigned i = 0; diagnosis->has_caps && (name = doctor_needs__name(diagnosis->caps, i));
	     i++)
		printf("%sCAP_%s", i ? ", " : "; needs ", name);
	if (diagnosis->starts && !diagnosis->has_caps)
		printf("; capabilities unknown: %s",
		       geteuid() ? "root can find them" : "for other users none are enough");
	putchar('\n');
	print_messages(diagnosis->messages);
	if (!diagnosis->starts)
		print_causes(diagnosis, checks);
}

static void print(const struct doctor_checks *checks, const struct diagnosis *diagnoses,
		  size_t count, uint64_t caps)
{
	doctor_checks__print(checks);
	if (count)
		puts("\nsources");
	for (size_t i = 0; i < count; i++)
		print_diagnosis(&diagnoses[i], checks);
	if (caps)
		puts("\nto run them without root");
	if (caps)
		doctor_needs__print(caps);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void print_json_diagnosis(const struct diagnosis *diagnosis,
				 const struct doctor_checks *checks)
{
	const char *name, *before = "";

	json_text__member("{", "name", diagnosis->name);
	printf(",\"runs\":%s", diagnosis->starts ? "true" : "false");
	json_text__member(",", "messages", diagnosis->messages);
	fputs(",\"causes\":[", stdout);
	for (size_t i = 0; !diagnosis->starts && i < checks->count; i++)
		if (doctor_checks__explains(checks, i, diagnosis->messages ?: "")) {
			fputs(before, stdout);
			json_text__print(checks->at[i].name);
			before = ",";
		}
	fputs("],\"capabilities\":", stdout);
	fputs(diagnosis->has_caps ? "[" : "null", stdout);
	for (unsigned i = 0; diagnosis->has_caps && (name = doctor_needs__name(diagnosis->caps, i));
	     i++)
		printf("%s\"CAP_%s\"", i ? "," : "", name);
	fputs(diagnosis->has_caps ? "]}" : "}", stdout);
}

static void print_json(const struct doctor_checks *checks, const struct diagnosis *diagnoses,
		       size_t count, uint64_t caps)
{
	putchar('{');
	doctor_checks__print_json(checks);
	fputs(",\n \"sources\":[", stdout);
	for (size_t i = 0; i < count; i++) {
		fputs(i ? ",\n " : "", stdout);
		print_json_diagnosis(&diagnoses[i], checks);
	}
	putchar(']');
	if (caps)
		doctor_needs__print_json(caps);
	puts("}");
}

/* ---- the verb -------------------------------------------------------------------------------- */

static const char doc[] =
	"Checks what this machine allows, each by trying it: capabilities, limits, files of the "
	"kernel, programs, links and perf events, with the remedy for what is missing.  With "
	"SOURCE, as for peat trace, also starts each and stops it, and prints the capabilities "
	"that it needs, and how to give them to a program, a unit or a container.\v"
	"The exit status is 0 if each SOURCE will run, or without SOURCE if nothing is missing; "
	"otherwise 1.";

int doctor_main(int argc, char **argv)
{
	struct diagnosis diagnoses[OPTIONS_NAMES];
	struct doctor_checks checks = { 0 };
	struct options options;
	uint64_t caps = 0;
	int status;

	options__parse(&options, VERB_DOCTOR, "[SOURCE...]", doc, argc, argv);
	messages__set_verbosity(0);
	status = doctor_checks__run(&checks);
	if (status)
		goto end;
	for (size_t i = 0; i < options.sources.name_count; i++) {
		diagnose(&diagnoses[i], &options, options.sources.names[i]);
		caps |= diagnoses[i].caps;
		status = diagnoses[i].starts ? status : EXIT_FAILED;
	}
	if (!options.sources.name_count && doctor_checks__any_missing(&checks))
		status = EXIT_FAILED;
	(options.output.json ? print_json : print)(&checks, diagnoses, options.sources.name_count,
						   caps);
	for (size_t i = 0; i < options.sources.name_count; i++)
		free(diagnoses[i].messages);
end:
	doctor_checks__free(&checks);
	return cli__flush_stdout() ? EXIT_FAILED : status;
}
