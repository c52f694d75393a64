// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* list.c: peat list: the sources by subject, those that mention a text, or those named. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <peat/peat.h>

#include "cli/cli.h"
#include "cli/list/list_attached.h"
#include "cli/list/list_events.h"
#include "cli/list/list_functions.h"
#include "cli/list/list_maps.h"
#include "cli/list/list_search.h"
#include "cli/list/list_source.h"
#include "cli/base/messages.h"
#include "cli/options/options.h"
#include "probe.h"
#include "cli/run/sources.h"
#include "cli/base/terminal_text.h"

/* ---- output ---------------------------------------------------------------------------------- */

static bool first_of_json = true;

static void print_source(const struct list_source *source, const struct options *options)
{
	if (!options->output.json) {
		list_source__print(source, options->output.verbose);
		return;
	}
	fputs(first_of_json ? "[" : ",\n ", stdout);
	first_of_json = false;
	list_source__print_json(source);
}

/* ---- sources that are named ------------------------------------------------------------------ */

static int open_source(struct list_source *source, const char *name, struct peat_session *session)
{
	int status;

	if (*name == '@') {
		source->kind = (enum peat_side_band)sources__find_kind(name);
		return source->kind ? 0 : EXIT_USAGE;
	}
	status = sources__open_object(name, &source->object);
	if (!status)
		source->arrays = list_source__add_arrays(session, source->object, name);
	return status;
}

/* Functions are listed, and with -v the fields of their events. */
static int list_all_functions(const struct options *options)
{
	int status = 0;

	for (size_t i = 0; !status && i < options->sources.name_count; i++)
		if (!options->output.verbose && peat_functions__are(options->sources.names[i]))
			status = list_functions__print(options->sources.names[i],
						       options->filter.pid, options->output.json,
						       &first_of_json);
	return status;
}

/* Lists the sources before one that cannot be opened, too. */
static int list_named(const struct options *options)
{
	bool needs_arrays = options->output.json || options->output.verbose;
	struct peat_session *session = needs_arrays ? peat_session__new(NULL) : NULL;
	struct list_source sources[OPTIONS_NAMES] = { { 0 } };
	size_t count = 0;
	int status = 0;

	for (size_t i = 0; !status && i < options->sources.name_count; i++) {
		if (!options->output.verbose && peat_functions__are(options->sources.names[i]))
			continue;
		status = open_source(&sources[count], options->sources.names[i], session);
		count += !status;
	}
	for (size_t i = 0; i < count; i++)
		print_source(&sources[i], options);
	peat_session__free(session);
	for (size_t i = 0; i < count; i++)
		peat_object__free(sources[i].object);
	return status ?: list_all_functions(options);
}

/* ---- all sources, by subject ----------------------------------------------------------------- */

struct sources {
	struct list_source *all;
	size_t count;
};

/* The others come after these, and records of the kernel last. */
static const char *const subjects[] = { "tasks", "files",   "disks",   "memory",
					"locks", "network", "security" };
#define SUBJECTS (sizeof(subjects) / sizeof(*subjects))

static size_t rank_of(const struct list_source *source)
{
	const char *subject = list_source__subject(source);
	size_t rank = 0;

	if (!source->object)
		return SUBJECTS + 1;
	while (rank < SUBJECTS && strcmp(subject, subjects[rank]) != 0)
		rank++;
	return rank;
}

/* Objects and kinds are added in the order of their names, which a subject's sources keep. */
static int compare_sources(const void *one, const void *other)
{
	const struct list_source *a = one, *b = other;
	size_t rank_a = rank_of(a), rank_b = rank_of(b);
	int order = rank_a < rank_b ? -1 : rank_a > rank_b;

	order = order ?: strcmp(list_source__subject(a), list_source__subject(b));
	if (order || !a->object)
		return order ?: (a->kind < b->kind ? -1 : a->kind > b->kind);
	return strcmp(peat_object__name(a->object), peat_object__name(b->object));
}

static int add_source(struct sources *sources, const struct list_source *source)
{
	struct list_source *grown =
		reallocarray(sources->all, sources->count + 1, sizeof(*sources->all));

	if (!grown) {
		messages__print("no memory");
		peat_object__free(source->object);
		return EXIT_FAILED;
	}
	sources->all = grown;
	sources->all[sources->count++] = *source;
	return 0;
}

static int find_sources(struct sources *sources)
{
	const struct probe *probe;
	int status = 0;

	for (size_t i = 0; !status && (probe = probe__at(i)); i++) {
		struct list_source source = { 0 };

		status = open_source(&source, probe->name, NULL) ?: add_source(sources, &source);
	}
	for (uint32_t kind = 1; !status && peat_side_band__name((enum peat_side_band)kind);
	     kind *= 2) {
		struct list_source source = { .kind = (enum peat_side_band)kind };

		if (!(kind & SOURCES_RECORDED))
			status = add_source(sources, &source);
	}
	if (sources->count)
		qsort(sources->all, sources->count, sizeof(*sources->all), compare_sources);
	return status;
}

static void print_subject(const char *subject, bool is_first)
{
	char *text = terminal_text__escape(subject);

	if (!is_first)
		putchar('\n');
	for (const char *at = text; at && *at; at++)
		putchar(toupper((unsigned char)*at));
	putchar('\n');
	free(text);
}

static void print_sources(const struct sources *sources, const struct options *options)
{
	const char *last = "";

	for (size_t i = 0; i < sources->count; i++) {
		const char *subject = list_source__subject(&sources->all[i]);

		if (!options->output.json && strcmp(subject, last) != 0)
			print_subject(subject, !*last);
		last = subject;
		print_source(&sources->all[i], options);
	}
}

/* Keeps the sources that mention the text. */
static int select_sources(struct sources *sources, const char *text)
{
	size_t kept = 0;

	for (size_t i = 0; i < sources->count; i++)
		if (list_search__finds(&sources->all[i], text))
			sources->all[kept++] = sources->all[i];
		else
			peat_object__free(sources->all[i].object);
	sources->count = kept;
	if (kept)
		return 0;
	messages__print("no source mentions '%s'", text);
	return EXIT_FAILED;
}

static int list_all(const struct options *options)
{
	struct sources sources = { 0 };
	int status = find_sources(&sources);

	if (!status && options->list.search)
		status = select_sources(&sources, options->list.search);
	print_sources(&sources, options);
	for (size_t i = 0; i < sources.count; i++)
		peat_object__free(sources.all[i].object);
	free(sources.all);
	return status;
}

/* ---- the verb -------------------------------------------------------------------------------- */

int list_main(int argc, char **argv)
{
	struct options options;
	int status = 0;

	options__parse(
		&options, VERB_LIST, "[SOURCE...]",
		"Lists the probes by subject, with the kinds of kernel records that peat trace can "
		"print, or each SOURCE, which may also be a FILE.bpf.o, or the functions that "
		"a source such as kprobe:FUNCTION stands for.  With -v, also lists "
		"fields, hooks, tables, options, other variables and perf event arrays.  With "
		"--search, lists the sources that mention a text.  With --attached, lists the perf "
		"event arrays of this machine and their users; with --maps, its tables; with "
		"--events, its perf events.",
		argc, argv);
	messages__set_verbosity(0);
	if (options.list.search && (options.sources.name_count || options.list.attached ||
				    options.list.maps || options.list.events)) {
		messages__print("--search lists probes: no SOURCE, --attached, --maps or --events "
				"with it");
		return EXIT_USAGE;
	}
	if (options.list.attached)
		status = list_attached__print(options.output.json);
	if (!status && options.list.maps)
		status = list_maps__print(options.output.json);
	if (!status && options.list.events)
		status = list_events__print(options.sources.names, options.sources.name_count,
					    options.output.json);
	else if (!status)
		status = list_named(&options);
	if (!options.sources.name_count && !options.list.attached && !options.list.maps &&
	    !options.list.events)
		status = list_all(&options);
	if (options.output.json && !first_of_json)
		puts("]");
	else if (options.output.json && options.list.search)
		puts("[]");
	return cli__flush_stdout() ? EXIT_FAILED : status;
}
