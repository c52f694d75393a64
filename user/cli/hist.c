// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* hist.c: peat hist: prints histograms of a field. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "histogram.h"
#include "tally.h"

/* The slots of a row; zeros if it has none. */
static struct histogram histogram_of(const struct tally *tally, size_t i)
{
	const struct options *options = tally->options;
	const struct row *row = &tally->rows.rows[i];
	struct histogram histogram = {
		.is_linear = options->values & PEAT_TABLE_LINEAR,
		.first = options->linear_first,
		.width = options->linear_width,
		.unit = tally->field ? tally->field->kind : PEAT_FIELD_UNSIGNED,
	};
	uint32_t column = rows__find(&tally->rows, "slots");
	const struct peat_field *slots =
		column < tally->rows.column_count ? tally->rows.columns[column] : NULL;

	if (!rows__number(&tally->rows, i, rows__find(&tally->rows, "negative"),
			  &histogram.negative))
		histogram.negative = 0;
	if (slots && slots->offset + sizeof(histogram.slots) <= row->bytes)
		memcpy(histogram.slots, (const char *)row->data + slots->offset,
		       sizeof(histogram.slots));
	return histogram;
}

/* "comm=bash error=ENOENT", above the bars. */
static int print_key(const struct rows *rows, size_t i)
{
	for (uint32_t column = 0; column < rows->keys; column++) {
		char *text = rows__text(rows, i, column);

		if (!text)
			return -ENOMEM;
		printf("%s%s=%s", column ? " " : "", rows->columns[column]->name, text);
		free(text);
	}
	if (rows->keys)
		putchar('\n');
	return 0;
}

static int print(struct tally *tally)
{
	int err = 0;

	for (size_t i = 0; !err && i < tally__shown(tally); i++) {
		struct histogram histogram = histogram_of(tally, i);

		if (i)
			putchar('\n');
		err = print_key(&tally->rows, i);
		histogram__print(&histogram);
	}
	return err;
}

/* The key and the count: "negative" and "slots" become ranges. */
static int print_json(struct tally *tally, size_t i)
{
	struct histogram histogram = histogram_of(tally, i);
	int err = tally__print_members(tally, i, tally->rows.keys + 1);

	fputs(",\"slots\":", stdout);
	histogram__print_json(&histogram);
	return err;
}

static const struct tally_ops ops = {
	.type = "hist",
	.print = print,
	.print_json = print_json,
};

static const char doc[] =
	"Prints a histogram of FIELD, a number in the events of each SOURCE or of a recording: one "
	"for all events, or one for each value of the fields of --by.\v"
	"The programs count in the kernel, without sending events, if the fields and the kernel "
	"allow it; -v reports it.  Ends like peat trace, and prints the histograms then.";

int hist_main(int argc, char **argv)
{
	struct options options;
	struct tally tally = { .ops = &ops };
	char **command = tally__parse(&options, VERB_HIST, doc, argc, argv);

	return tally__main(&tally, &options, command);
}
