// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* output/settings.c: reads the settings of an output into a struct. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/errors.h"
#include "base/log.h"
#include "base/name_list.h"
#include "base/suggestion.h"
#include "field/field_value.h"
#include "output/settings.h"

/* Values have the forms of fields. */
static const struct {
	enum peat_field_kind field;
	uint64_t unit; /* of the number that is stored */
	const char *form, *suffix;
} kinds[] = {
	[SETTING_BYTES] = { PEAT_FIELD_SIZE, 1, "a size such as 64K,", "" },
	[SETTING_MS] = { PEAT_FIELD_DURATION, 1000000, "a duration such as 10s,", " ms" },
	[SETTING_NUMBER] = { PEAT_FIELD_UNSIGNED, 1, "a number", "" },
	[SETTING_BOOL] = { PEAT_FIELD_BOOL, 1, "true or false", "" },
};

static const struct setting_row *find_row(const struct setting_row *rows, size_t count,
					  const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(rows[i].name, name))
			return &rows[i];
	return NULL;
}

static int refuse_name(const struct setting_block *block, const struct peat_setting *setting,
		       const struct setting_row *rows, size_t count)
{
	struct suggestion like = { .wanted = setting->name };
	char why[512], text[192], list[256] = "";

	for (size_t i = 0; i < count; i++) {
		suggestion__try(&like, rows[i].name);
		name_list__append(list, sizeof(list), rows[i].name);
	}
	snprintf(why, sizeof(why), "no such setting%sthe settings are %s",
		 suggestion__text(&like, text), list);
	return settings__refuse(block, setting, why);
}

static int refuse_number(const struct setting_block *block, const struct peat_setting *setting,
			 const struct setting_row *row)
{
	char why[160];

	if (row->kind == SETTING_BOOL)
		snprintf(why, sizeof(why), "expected %s", kinds[row->kind].form);
	else if (row->most == UINT64_MAX)
		snprintf(why, sizeof(why), "expected %s at least %llu%s", kinds[row->kind].form,
			 (unsigned long long)row->least, kinds[row->kind].suffix);
	else
		snprintf(why, sizeof(why), "expected %s from %llu to %llu%s", kinds[row->kind].form,
			 (unsigned long long)row->least, (unsigned long long)row->most,
			 kinds[row->kind].suffix);
	return settings__refuse(block, setting, why);
}

static int read_number(const struct setting_block *block, const struct peat_setting *setting,
		       const struct setting_row *row, void *at)
{
	const struct peat_field field = { .kind = kinds[row->kind].field, .bytes = 8 };
	struct field_number number;
	uint64_t value;

	if (field_value__parse(&field, setting->value, &number) || number.negative)
		return refuse_number(block, setting, row);
	value = number.magnitude / kinds[row->kind].unit;
	if (row->kind == SETTING_BOOL)
		*(bool *)at = value;
	else if (value < row->least || value > row->most)
		return refuse_number(block, setting, row);
	else
		*(uint64_t *)at = value;
	return 0;
}

static int read_text(const struct peat_setting *setting, char **at)
{
	*at = strdup(setting->value);
	return *at ? 0 : fail(-ENOMEM);
}

static bool is_repeated(const struct setting_block *block, size_t i)
{
	for (size_t j = 0; j < i; j++)
		if (!strcmp(block->at[i].name, block->at[j].name))
			return true;
	return false;
}

static int add_text(const struct peat_setting *setting, struct setting_list *list)
{
	if (!ARRAY_RESERVE_NEXT(list->at, list->count))
		return fail(-ENOMEM);
	list->at[list->count] = strdup(setting->value);
	return list->at[list->count] ? (list->count++, 0) : fail(-ENOMEM);
}

void setting_list__free(struct setting_list *list)
{
	while (list->count)
		free(list->at[--list->count]);
	free(list->at);
	list->at = NULL;
}

static int read_one(const struct setting_block *block, size_t i, const struct setting_row *row,
		    void *at)
{
	const struct peat_setting *setting = &block->at[i];

	if (row->kind == SETTING_LIST)
		return add_text(setting, at);
	if (is_repeated(block, i))
		return settings__refuse(block, setting, "it is set twice");
	return row->kind == SETTING_TEXT ? read_text(setting, at)
					 : read_number(block, setting, row, at);
}

int settings__read_block(const struct setting_block *block, const struct setting_row *rows,
			 size_t count, void *into)
{
	int err = 0;

	for (size_t i = 0; !err && i < block->count; i++) {
		const struct setting_row *row = find_row(rows, count, block->at[i].name);

		err = row ? read_one(block, i, row, (char *)into + row->offset)
			  : refuse_name(block, &block->at[i], rows, count);
	}
	return err;
}

static struct setting_block block_of(const struct peat_output_opts *opts)
{
	return (struct setting_block){ .file = opts->file,
				       .what = "output",
				       .name = opts->name,
				       .at = opts->settings,
				       .count = opts->setting_count };
}

int settings__read(const struct peat_output_opts *opts, const struct setting_row *rows,
		   size_t count, void *into)
{
	const struct setting_block block = block_of(opts);

	return settings__read_block(&block, rows, count, into);
}

int settings__refuse(const struct setting_block *block, const struct peat_setting *setting,
		     const char *why)
{
	if (setting->line)
		log__error("%s:%u:%u: %s %s: %s: %s", block->file ?: "configuration", setting->line,
			   setting->column, block->what, block->name, setting->name, why);
	else
		log__error("%s %s: %s: %s", block->what, block->name, setting->name, why);
	return fail(-EINVAL);
}

int peat_output__refuse_setting(const struct peat_output_opts *opts,
				const struct peat_setting *setting, const char *why)
{
	const struct setting_block block = block_of(opts);

	return settings__refuse(&block, setting, why);
}

int settings__refuse_value(const struct peat_output_opts *opts, const char *name, const char *why)
{
	struct peat_setting setting = { .name = name };

	for (uint32_t i = 0; i < opts->setting_count; i++)
		if (!strcmp(opts->settings[i].name, name))
			setting = opts->settings[i];
	return peat_output__refuse_setting(opts, &setting, why);
}
