// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* examples.c: peat examples: questions and the commands that answer them, of examples.txt. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/base/json_text.h"
#include "cli/base/messages.h"
#include "cli/base/words.h"
#include "cli/options/options.h"

struct example {
	const char *subject, *question, *command;
};

static const struct example examples[] = {
#define EXAMPLE(subject, question, command) { subject, question, command },
#include <examples.def>
};
#define EXAMPLES (sizeof(examples) / sizeof(*examples))

/* All words are in the example, whatever their case. */
static bool mentions(const struct example *example, const char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!strcasestr(example->subject, words[i]) &&
		    !strcasestr(example->question, words[i]) &&
		    !strcasestr(example->command, words[i]))
			return false;
	return true;
}

/* `last`: the example printed before; NULL: none. */
static void print_text(const struct example *example, const struct example *last)
{
	if (!last || strcmp(example->subject, last->subject) != 0)
		printf("%s%s\n", last ? "\n" : "", example->subject);
	printf("  %s\n    %s\n", example->question, example->command);
}

static void print_json(const struct example *example, const struct example *last)
{
	json_text__member(last ? ",\n {" : "[{", "subject", example->subject);
	json_text__member(",", "question", example->question);
	json_text__member(",", "command", example->command);
	putchar('}');
}

/* Returns whether it has printed any. */
static bool print_all(const struct options *options)
{
	const struct example *last = NULL;

	for (size_t i = 0; i < EXAMPLES; i++) {
		if (!mentions(&examples[i], options->sources.names, options->sources.name_count))
			continue;
		(options->output.json ? print_json : print_text)(&examples[i], last);
		last = &examples[i];
	}
	if (options->output.json)
		puts(last ? "]" : "[]");
	return last != NULL;
}

static int report_none(const struct source_options *sources)
{
	char *words = words__join(sources->names, sources->name_count, " ");

	messages__print("no example mentions '%s': peat examples prints all, "
			"peat list --search finds probes",
			words ? words : "");
	free(words);
	return EXIT_FAILED;
}

int examples_main(int argc, char **argv)
{
	struct options options;
	int status = 0;

	options__parse(&options, VERB_EXAMPLES, "[WORD...]",
		       "Prints questions with the commands that answer them, all or those that "
		       "mention each WORD.",
		       argc, argv);
	if (!print_all(&options))
		status = report_none(&options.sources);
	return cli__flush_stdout() ? EXIT_FAILED : status;
}
