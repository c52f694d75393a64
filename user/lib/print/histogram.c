// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* print/histogram.c: prints a histogram as bars, like bpftrace, or as JSON. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "print/histogram.h"

#define BAR	    40
#define LAST	    (PEAT_TABLE_SLOTS - 1)
#define LABEL_BYTES 96
#define BOUND_BYTES (LABEL_BYTES / 2 - 8)
#define LABEL_WIDTH 16

/* ---- slots ----------------------------------------------------------------------------------- */

/* The first number of a slot.  The first slot of a logarithmic histogram has 0, too. */
static uint64_t lower(const struct histogram *histogram, uint32_t slot)
{
	if (histogram->is_linear)
		return (uint64_t)histogram->first + slot * histogram->width;
	return slot ? 1ULL << slot : 0;
}

/* Slots to print: from `from` to before `end`. */
struct span {
	uint32_t from, end;
};

static struct span used_span(const struct histogram *histogram)
{
	struct span span = { 0, LAST + 1 };

	while (span.from < span.end && !histogram->slots[span.from])
		span.from++;
	while (span.end > span.from && !histogram->slots[span.end - 1])
		span.end--;
	return span;
}

/* ---- text ------------------------------------------------------------------------------------ */

/* "4K", in multiples of 1024 like bpftrace. */
static void print_power(char *text, size_t room, uint64_t number)
{
	static const char *const units[] = { "", "K", "M", "G", "T", "P", "E" };
	size_t unit = 0;

	for (; number >= 1024 && unit < 6; unit++)
		number /= 1024;
	snprintf(text, room, "%" PRIu64 "%s", number, units[unit]);
}

static void print_bound(const struct histogram *histogram, uint64_t number, char text[BOUND_BYTES])
{
	const struct peat_field field = {
		.name = "", .kind = histogram->unit, .span = 1, .bytes = sizeof(number)
	};
	const char *unit = peat_field__unit(&field);
	bool has_unit = unit && (histogram->is_linear || !strcmp(unit, "ns"));

	if (has_unit && number && (!histogram->is_linear || (int64_t)number > 0))
		peat_field__text(&field, &number, sizeof(number), text, BOUND_BYTES);
	else if (histogram->is_linear)
		snprintf(text, BOUND_BYTES, "%" PRId64, (int64_t)number);
	else
		print_power(text, BOUND_BYTES, number);
}

/* "[1K, 2K)"; the first and the last slot of a linear histogram have all numbers beyond. */
static void print_label(const struct histogram *histogram, uint32_t slot, char text[LABEL_BYTES])
{
	char from[BOUND_BYTES] = "", to[BOUND_BYTES] = "";

	print_bound(histogram, lower(histogram, slot), from);
	if (slot < LAST)
		print_bound(histogram, lower(histogram, slot + 1), to);
	if (slot == LAST)
		snprintf(text, LABEL_BYTES, "[%s, ...)", from);
	else if (!slot && histogram->is_linear)
		snprintf(text, LABEL_BYTES, "(..., %s)", to);
	else
		snprintf(text, LABEL_BYTES, "[%s, %s)", from, to);
}

static int label_width(const struct histogram *histogram, const struct span *span)
{
	char label[LABEL_BYTES];
	int width = LABEL_WIDTH;

	for (uint32_t slot = span->from; slot < span->end; slot++) {
		print_label(histogram, slot, label);
		if ((int)strlen(label) > width)
			width = (int)strlen(label);
	}
	return width;
}

static uint64_t largest(const struct histogram *histogram)
{
	uint64_t most = histogram->negative;

	for (uint32_t slot = 0; slot <= LAST; slot++)
		if (histogram->slots[slot] > most)
			most = histogram->slots[slot];
	return most;
}

static void append_bar(struct strbuf *out, const char *label, int width, uint64_t count,
		       uint64_t most)
{
	static const char marks[BAR + 1] = "@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@";
	int bar = (int)((double)count / (double)most * BAR + 0.5);
	char line[2 * LABEL_BYTES + BAR];

	snprintf(line, sizeof(line), "%-*s %10" PRIu64 " |%-*.*s|\n", width, label, count, BAR, bar,
		 marks);
	strbuf__text(out, line);
}

void histogram__append(struct strbuf *out, const struct histogram *histogram)
{
	struct span span = used_span(histogram);
	int width = label_width(histogram, &span);
	uint64_t most = largest(histogram);
	char label[LABEL_BYTES];

	if (histogram->negative)
		append_bar(out, "(..., 0)", width, histogram->negative, most);
	for (uint32_t slot = span.from; slot < span.end; slot++) {
		print_label(histogram, slot, label);
		append_bar(out, label, width, histogram->slots[slot], most);
	}
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void append_bound(struct strbuf *out, const struct histogram *histogram, uint64_t bound)
{
	if (histogram->is_linear)
		strbuf__signed(out, (int64_t)bound);
	else
		strbuf__unsigned(out, bound);
}

/* No bound: null. */
static void append_range(struct strbuf *out, const struct histogram *histogram, uint32_t slot)
{
	strbuf__text(out, "{\"min\":");
	if (!slot && histogram->is_linear)
		strbuf__text(out, "null");
	else
		append_bound(out, histogram, lower(histogram, slot));
	strbuf__text(out, ",\"max\":");
	if (slot == LAST)
		strbuf__text(out, "null");
	else
		append_bound(out, histogram, lower(histogram, slot + 1) - 1);
	strbuf__text(out, ",\"count\":");
	strbuf__unsigned(out, histogram->slots[slot]);
	strbuf__char(out, '}');
}

void histogram__append_json(struct strbuf *out, const struct histogram *histogram)
{
	struct span span = used_span(histogram);
	const char *before = "";

	strbuf__char(out, '[');
	if (histogram->negative) {
		strbuf__text(out, "{\"min\":null,\"max\":-1,\"count\":");
		strbuf__unsigned(out, histogram->negative);
		strbuf__char(out, '}');
		before = ",";
	}
	for (uint32_t slot = span.from; slot < span.end; slot++) {
		strbuf__text(out, before);
		append_range(out, histogram, slot);
		before = ",";
	}
	strbuf__char(out, ']');
}
