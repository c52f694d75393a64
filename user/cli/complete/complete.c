// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * complete.c: peat complete: completes a command line, for shells.  It prints the words that the
 * word at the cursor can become, a line each; without any, the shell completes files.
 */
#include <argp.h>
#include <stdio.h>
#include <string.h>

#include <peat/peat.h>

#include "cli/complete/completions.h"
#include "cli/cli.h"
#include "cli/complete/command_line.h"
#include "cli/complete/complete_machine.h"
#include "cli/complete/complete_source.h"
#include "cli/base/messages.h"
#include "cli/options/option_keys.h"
#include "cli/options/options.h"

#define SOURCE_VERBS (VERB_TRACE | VERB_RECORD | VERB_COUNT | VERB_HIST | VERB_TOP | VERB_LIST)

/* The part of the line before the cursor, understood. */
struct request {
	const struct verb *verb;
	struct typed_sources arguments;		/* before the word at the cursor, without options */
	const struct argp_option *awaits_value; /* the option before the cursor; NULL: none */
	bool is_command;			/* after -- */
};

/* ---- options --------------------------------------------------------------------------------- */

static const struct argp_option *find_option(unsigned verb, const char *name, size_t bytes)
{
	const struct argp_option *option;

	for (size_t i = 0; (option = options__at(verb, i)); i++)
		if (option->name && strlen(option->name) == bytes &&
		    !strncmp(option->name, name, bytes))
			return option;
	return NULL;
}

static const struct argp_option *find_letter(unsigned verb, int letter)
{
	const struct argp_option *option;

	for (size_t i = 0; (option = options__at(verb, i)); i++)
		if (option->key == letter)
			return option;
	return NULL;
}

static bool needs_value(const struct argp_option *option)
{
	return option && option->arg && !(option->flags & OPTION_ARG_OPTIONAL);
}

/* The option whose value is the next word; NULL: none.  "-qn": the last letter. */
static const struct argp_option *awaiting_option(unsigned verb, const char *word)
{
	const struct argp_option *option = NULL;

	if (!strncmp(word, "--", 2))
		option = find_option(verb, word + 2, strlen(word + 2));
	else if (*word == '-' && word[1])
		option = find_letter(verb, (unsigned char)word[strlen(word) - 1]);
	return needs_value(option) ? option : NULL;
}

static void add_options(struct completions *completions, unsigned verb)
{
	const struct argp_option *option;
	char name[64];

	for (size_t i = 0; (option = options__at(verb, i)); i++) {
		if (!option->name || option->flags & OPTION_HIDDEN)
			continue;
		snprintf(name, sizeof(name), "--%s", option->name);
		completions__add(completions, name, "");
	}
}

/* ---- values ---------------------------------------------------------------------------------- */

static const struct {
	int key;
	unsigned verbs;
	const char *words;
	bool is_list; /* separated by commas */
} value_words[] = {
	{ OPT_STACKS, ~0U, "kernel user both dwarf none", false },
	{ OPT_CALL_GRAPH, ~0U, "fp", false },
	{ OPT_SAMPLE, ~0U, "ip callchain cgroup regs_user stack_user", true },
	{ OPT_TO, VERB_CONVERT, "perf json folded flamegraph pprof pcapng", false },
	{ OPT_TO, VERB_TRACE | VERB_REPLAY, "text json pcapng", false },
	{ OPT_TO, VERB_PROFILE, "text flamegraph pprof folded json", false },
	{ OPT_SORT, VERB_PROFILE, "self total", false },
	{ OPT_SORT, VERB_COUNT | VERB_HIST | VERB_TOP,
	  "pid tid comm cpu type count sum avg min max", false },
	{ OPT_BY, ~0U, "pid tid comm cpu type stack", true },
	{ OPT_FIELDS, ~0U, "time type pid tid comm cpu", true },
};

static void add_words(struct completions *completions, unsigned verb, int key)
{
	for (size_t i = 0; i < sizeof(value_words) / sizeof(*value_words); i++) {
		if (value_words[i].key != key || !(value_words[i].verbs & verb))
			continue;
		if (value_words[i].is_list)
			completions__keep_to(completions, ",");
		completions__add_words(completions, value_words[i].words);
	}
}

static void add_values(struct completions *completions, const struct request *request, int key)
{
	add_words(completions, request->verb->bit, key);
	switch (key) {
	case OPT_WHERE:
		complete_source__expression(completions, &request->arguments);
		return;
	case OPT_ON:
		complete_source__name(completions);
		return;
	case OPT_IF:
		complete_machine__interface(completions);
		return;
	case 'p':
		complete_machine__pid(completions);
		return;
	case 'u':
		complete_machine__user(completions);
		return;
	case 'e':
		complete_machine__event(completions);
		return;
	case OPT_TABLE:
		complete_source__table(completions, &request->arguments);
		return;
	case OPT_SORT:
		if (request->verb->bit == VERB_PROFILE)
			return;
		/* fall through */
	case OPT_BY:
	case OPT_FIELDS:
	case OPT_SUM:
	case OPT_AVERAGE:
	case OPT_MIN:
	case OPT_MAX:
		complete_source__field(completions, &request->arguments);
		return;
	default:
		return;
	}
}

/* ---- words ----------------------------------------------------------------------------------- */

/* A source; of peat hist, the field is the last argument. */
static void add_arguments(struct completions *completions, const struct request *request)
{
	unsigned verb = request->verb->bit;

	if (verb & SOURCE_VERBS)
		complete_source__name(completions);
	if (verb == VERB_HIST)
		complete_source__field(completions, &request->arguments);
	if (verb == VERB_REPLAY && request->arguments.count)
		complete_source__recorded_kind(completions);
}

static void complete_word(struct completions *completions, const struct request *request)
{
	const char *equal = strchr(completions->word, '=');
	const struct argp_option *option = request->awaits_value;

	if (!option && !strncmp(completions->word, "--", 2) && equal) {
		option = find_option(request->verb->bit, completions->word + 2,
				     (size_t)(equal - completions->word) - 2);
		if (!option)
			return;
		completions->kept = (size_t)(equal - completions->word) + 1;
	}
	if (option)
		add_values(completions, request, option->key);
	else if (*completions->word == '-')
		add_options(completions, request->verb->bit);
	else
		add_arguments(completions, request);
}

/* Moves the arguments to the front of `words`, whose last one is at the cursor. */
static void read_words(struct request *request, char **words, size_t count)
{
	size_t arguments = 0;

	for (size_t i = 0; i + 1 < count; i++) {
		const struct argp_option *before = request->awaits_value;

		request->is_command |= !before && !strcmp(words[i], "--");
		request->awaits_value =
			before ? NULL : awaiting_option(request->verb->bit, words[i]);
		if (!before && *words[i] != '-')
			words[arguments++] = words[i];
	}
	request->arguments = (struct typed_sources){ words, arguments };
}

static void complete_line(struct completions *completions, const struct command_line *line)
{
	struct request request = { 0 };
	const struct verb *verb;

	completions->word = line->words[line->count - 1];
	for (size_t i = 0; (verb = cli__verb(i)); i++) {
		if (line->count == 2 && verb->summary)
			completions__add(completions, verb->name, "");
		else if (line->count > 2 && !strcmp(line->words[1], verb->name))
			request.verb = verb;
	}
	if (!request.verb || !request.verb->bit)
		return;
	read_words(&request, line->words + 2, line->count - 2);
	if (!request.is_command)
		complete_word(completions, &request);
}

/* Messages would disturb the line that is being typed. */
static void print_nothing(enum peat_log_level level, const char *text)
{
	(void)level;
	(void)text;
}

int complete_main(int argc, char **argv)
{
	struct completions completions = { 0 };
	struct command_line line;

	if (argc != 2) {
		messages__print("usage: peat complete LINE: prints the words that can complete it");
		return EXIT_USAGE;
	}
	peat_set_print(print_nothing);
	messages__hold(); /* and never releases them */
	if (command_line__split(&line, argv[1]))
		return EXIT_FAILED;
	complete_line(&completions, &line);
	completions__print(&completions);
	completions__free(&completions);
	command_line__free(&line);
	return cli__flush_stdout();
}
