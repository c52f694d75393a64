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
#include "cli/options/options.h"

#define TALLY_VERBS  (VERB_COUNT | VERB_HIST | VERB_TOP)
#define SOURCE_VERBS (VERB_TRACE | VERB_RECORD | VERB_LIST | VERB_DOCTOR | TALLY_VERBS)

/* Another program has these: tests/check-install compares them with its help. */
#define AGENT_OPTIONS                                                                              \
	"--config --check --status --reload --stream-setup --socket --json --verbose --help "      \
	"--version"
#define RECV_OPTIONS                                                                               \
	"--stream --consumer --all --end --subject --credentials-file --user --password-file "     \
	"--token-file --ca-file --cert-file --key-file --host --where --delay --json "             \
	"--output-file --raw --count --by --top --interval --rows --sort --timestamps --audit "    \
	"--agent-output --quiet --verbose --help --version"

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

static void add_stack_formats(struct completions *completions)
{
	const char *name;

	for (enum peat_stacks_format i = 0; (name = peat_stacks__name(i)); i++)
		completions__add(completions, name, "");
}

static void add_triggers(struct completions *completions)
{
	complete_source__name(completions);
	complete_machine__counted_event(completions);
}

/* Values that an option can have: fixed words, and names from this machine or of the sources. */
static const struct {
	const char *option;
	unsigned verbs;
	const char *words;
	bool is_list; /* separated by commas */
	void (*add)(struct completions *completions);
	void (*add_of)(struct completions *completions, const struct typed_sources *sources);
} values[] = {
	{ "stacks", ~0U, "kernel user both dwarf none", false, NULL, NULL },
	{ "call-graph", ~0U, "fp", false, NULL, NULL },
	{ "sample", ~0U, "ip callchain cgroup regs_user stack_user", true, NULL, NULL },
	{ "to", VERB_CONVERT, "perf json pcapng html perfetto", false, add_stack_formats, NULL },
	{ "to", VERB_TRACE | VERB_REPLAY, "text json pcapng perfetto", false, NULL, NULL },
	{ "to", VERB_PROFILE, "text json", false, add_stack_formats, NULL },
	{ "sort", VERB_PROFILE, "self total", false, NULL, NULL },
	{ "sort", TALLY_VERBS, "pid tid comm cpu type count sum avg min max", false, NULL,
	  complete_source__field },
	{ "by", ~0U, "pid tid comm cpu type stack", true, NULL, complete_source__field },
	{ "fields", ~0U, "time type pid tid comm cpu", true, NULL, complete_source__field },
	{ "sum", ~0U, NULL, false, NULL, complete_source__number },
	{ "avg", ~0U, NULL, false, NULL, complete_source__number },
	{ "min", TALLY_VERBS, NULL, false, NULL, complete_source__number },
	{ "max", ~0U, NULL, false, NULL, complete_source__number },
	{ "table", ~0U, NULL, false, NULL, complete_source__table },
	{ "where", ~0U, NULL, false, NULL, complete_source__expression },
	{ "on", ~0U, NULL, false, add_triggers, NULL },
	{ "if", ~0U, NULL, false, complete_machine__interface, NULL },
	{ "pid", ~0U, NULL, false, complete_machine__pid, NULL },
	{ "uid", ~0U, NULL, false, complete_machine__user, NULL },
	{ "event", ~0U, NULL, false, complete_machine__event, NULL },
};

static void add_values(struct completions *completions, const struct request *request,
		       const struct argp_option *option)
{
	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++) {
		if (!(values[i].verbs & request->verb->bit) ||
		    strcmp(values[i].option, option->name) != 0)
			continue;
		if (values[i].is_list)
			completions__keep_to(completions, ",");
		if (values[i].words)
			completions__add_words(completions, values[i].words);
		if (values[i].add)
			values[i].add(completions);
		if (values[i].add_of)
			values[i].add_of(completions, &request->arguments);
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
		complete_source__number(completions, &request->arguments);
	if ((verb & (VERB_REPLAY | VERB_REPORT)) && request->arguments.count)
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
		add_values(completions, request, option);
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

/* Options of verbs that are programs of their own. */
static void complete_program(struct completions *completions, const char *verb)
{
	if (!strcmp(verb, "agent"))
		completions__add_words(completions, AGENT_OPTIONS);
	else if (!strcmp(verb, "recv"))
		completions__add_words(completions, RECV_OPTIONS);
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
	if (request.verb && *completions->word == '-')
		complete_program(completions, request.verb->name);
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
