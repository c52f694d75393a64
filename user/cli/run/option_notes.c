// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* option_notes.c: options of sources that reject events by default. */
#include <string.h>

#include <peat/functions.h>
#include <peat/object_file.h>
#include <peat/schema.h>

#include "cli/base/messages.h"
#include "cli/run/option_notes.h"
#include "cli/run/sources.h"

static bool begins_with(const struct peat_option *option, const char *word)
{
	size_t bytes = strlen(word);

	return option->doc && !strncmp(option->doc, word, bytes) && option->doc[bytes] == ' ';
}

/* "only calls that took at least this": 0 is no limit. */
static bool is_limit(const struct peat_option *option)
{
	return peat_field__unit(option->field) && option->value && begins_with(option, "only");
}

/* "also faults that do not wait for a disk" */
static bool is_extension(const struct peat_option *option)
{
	return option->kind == PEAT_FIELD_BOOL && !option->value && begins_with(option, "also");
}

/* The default of a number, with its unit. */
static const char *value_of(const struct peat_option *option, char *text, size_t room)
{
	struct peat_field field = *option->field;

	field.offset = field.bits = field.bit_offset = 0;
	field.bytes = sizeof(option->value);
	field.big_endian = false;
	peat_field__text(&field, &option->value, field.bytes, text, room);
	return text;
}

static void print_option(const char *source, const struct peat_option *option)
{
	char value[64];

	if (is_limit(option))
		messages__print("%s has %s=%s by default, %s: use %s,%s=0 for all", source,
				option->name, value_of(option, value, sizeof(value)), option->doc,
				source, option->name);
	else if (is_extension(option))
		messages__print("%s,%s adds %s", source, option->name,
				option->doc + strlen("also "));
}

static void print_options(const char *source)
{
	struct peat_option option = { .sz = sizeof(option) };
	struct peat_object *object;

	if (sources__inspect(source, &object))
		return;
	for (uint32_t i = 0; object && peat_object__option(object, i, &option) > 0; i++)
		print_option(source, &option);
	peat_object__free(object);
}

void option_notes__print(const struct options *options, uint64_t printed,
			 const struct peat_reader_stats *stats)
{
	if (printed || stats->counted || stats->filtered || stats->lost || options->flight.bytes)
		return;
	for (size_t i = 0; i < options->sources.name_count; i++)
		if (!strchr(options->sources.names[i], ','))
			print_options(options->sources.names[i]);
}
