// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* tables/key_counts.c: the numbers of a key: adding to them, and their columns in a row. */
#include <string.h>

#include "tables/key_counts.h"

#define LAST_SLOT  (PEAT_TABLE_SLOTS - 1)
#define HISTOGRAMS (PEAT_TABLE_LOG2 | PEAT_TABLE_LINEAR)

size_t key_counts__bytes(const struct table_numbers *numbers)
{
	if (numbers->values & HISTOGRAMS)
		return sizeof(struct key_counts);
	if (numbers->values & ~(uint32_t)PEAT_TABLE_COUNT)
		return offsetof(struct key_counts, slots);
	return offsetof(struct key_counts, sum);
}

/* ---- histograms ------------------------------------------------------------------------------ */

/* A negative number has the highest bit, and so the last slot, which no positive one reaches. */
static uint32_t log2_slot(uint64_t number)
{
	return number < 2 ? 0 : 63 - (uint32_t)__builtin_clzll(number);
}

/* The slot of a number that is `distance` beyond the first one, or 2^64 more than that. */
static uint32_t slot_at(uint64_t distance, bool carry, uint64_t width)
{
	uint64_t slot = 0;

	while (carry && slot < LAST_SLOT) {
		carry = distance >= width;
		distance -= width;
		slot++;
	}
	if (carry || distance / width > LAST_SLOT - slot)
		return LAST_SLOT;
	return (uint32_t)(slot + distance / width);
}

static uint32_t linear_slot(const struct table_numbers *numbers, uint64_t number)
{
	uint64_t first = (uint64_t)numbers->linear_first;
	bool first_is_negative = numbers->linear_first < 0;

	if (numbers->is_signed ? (int64_t)number < numbers->linear_first
			       : !first_is_negative && number < first)
		return 0;
	return slot_at(number - first, !numbers->is_signed && first_is_negative && number >= first,
		       numbers->linear_width);
}

static uint32_t histogram_slot(const struct table_numbers *numbers, uint64_t number)
{
	return numbers->values & PEAT_TABLE_LOG2 ? log2_slot(number) : linear_slot(numbers, number);
}

/* ---- adding ---------------------------------------------------------------------------------- */

static bool is_less(const struct table_numbers *numbers, uint64_t a, uint64_t b)
{
	return numbers->is_signed ? (int64_t)a < (int64_t)b : a < b;
}

/* Widens min and max; the key has been counted before if `count` is not 0. */
static void widen(struct key_counts *counts, const struct table_numbers *numbers, uint64_t min,
		  uint64_t max)
{
	if (!counts->count || is_less(numbers, min, counts->min))
		counts->min = min;
	if (!counts->count || is_less(numbers, counts->max, max))
		counts->max = max;
}

void key_counts__add(struct key_counts *counts, const struct table_numbers *numbers,
		     uint64_t number)
{
	if (numbers->values & ~(uint32_t)PEAT_TABLE_COUNT) {
		widen(counts, numbers, number, number);
		counts->sum += number;
	}
	if (numbers->values & HISTOGRAMS)
		counts->slots[histogram_slot(numbers, number)]++;
	counts->count++;
}

void key_counts__merge(struct key_counts *counts, const struct table_numbers *numbers,
		       const struct key_counts *more)
{
	if (!more->count)
		return;
	if (numbers->values & ~(uint32_t)PEAT_TABLE_COUNT) {
		widen(counts, numbers, more->min, more->max);
		counts->sum += more->sum;
	}
	for (uint32_t i = 0; numbers->values & HISTOGRAMS && i < PEAT_TABLE_SLOTS; i++)
		counts->slots[i] += more->slots[i];
	counts->count += more->count;
}

/* ---- columns --------------------------------------------------------------------------------- */

/*
 * The bits of a double.  Averages of numbers with a unit are such numbers, rounded towards 0: their
 * text has the unit, and a fraction of a nanosecond or a byte says nothing.
 */
static uint64_t average(const struct key_counts *counts, const struct table_numbers *numbers)
{
	double sum = numbers->is_signed ? (double)(int64_t)counts->sum : (double)counts->sum;
	double result = sum / (double)counts->count;
	uint64_t bits;

	if (!numbers->has_unit) {
		memcpy(&bits, &result, sizeof(bits));
		return bits;
	}
	if (numbers->is_signed)
		return (uint64_t)((int64_t)counts->sum / (int64_t)counts->count);
	return counts->sum / counts->count;
}

/* The columns with one number, in their order. */
static const struct value_column {
	enum peat_table_value value;
	const char *name, *doc;
} columns[] = {
	{ PEAT_TABLE_COUNT, "count", "number of events" },
	{ PEAT_TABLE_SUM, "sum", "sum, modulo 2^64" },
	{ PEAT_TABLE_AVERAGE, "average", "sum / count" },
	{ PEAT_TABLE_MIN, "min", "smallest number" },
	{ PEAT_TABLE_MAX, "max", "largest number" },
};
#define COLUMNS (sizeof(columns) / sizeof(*columns))

/* Columns of histograms. */
static const char negative_name[] = "negative", slots_name[] = "slots";

static bool has_column(const struct table_numbers *numbers, enum peat_table_value value)
{
	return value == PEAT_TABLE_COUNT || numbers->values & value;
}

uint32_t key_counts__value(const char *column)
{
	for (size_t i = 0; i < COLUMNS; i++)
		if (!strcmp(columns[i].name, column))
			return columns[i].value;
	return 0;
}

bool key_counts__is_column(const char *name)
{
	return key_counts__value(name) || !strcmp(name, negative_name) || !strcmp(name, slots_name);
}

/* Every histogram has a place for negative numbers: types that follow may be signed. */
uint32_t key_counts__row_bytes(const struct table_numbers *numbers)
{
	uint32_t bytes = 0;

	for (size_t i = 0; i < COLUMNS; i++)
		bytes += has_column(numbers, columns[i].value) ? 8 : 0;
	return bytes + (numbers->values & HISTOGRAMS ? 8 + 8 * PEAT_TABLE_SLOTS : 0);
}

static bool counts_negative(const struct table_numbers *numbers)
{
	return numbers->values & PEAT_TABLE_LOG2 && numbers->is_signed;
}

static uint64_t value_of(const struct key_counts *counts, const struct table_numbers *numbers,
			 enum peat_table_value value)
{
	switch (value) {
	case PEAT_TABLE_SUM:
		return counts->sum;
	case PEAT_TABLE_AVERAGE:
		return average(counts, numbers);
	case PEAT_TABLE_MIN:
		return counts->min;
	case PEAT_TABLE_MAX:
		return counts->max;
	default:
		return counts->count;
	}
}

static void store_histogram(const struct key_counts *counts, const struct table_numbers *numbers,
			    uint64_t *row)
{
	row[0] = 0;
	memcpy(row + 1, counts->slots, sizeof(counts->slots));
	if (!counts_negative(numbers))
		return;
	row[0] = row[1 + LAST_SLOT];
	row[1 + LAST_SLOT] = 0;
}

void key_counts__store(const struct key_counts *counts, const struct table_numbers *numbers,
		       char *row)
{
	uint64_t words[COLUMNS + 1 + PEAT_TABLE_SLOTS], *word = words;

	for (size_t i = 0; i < COLUMNS; i++)
		if (has_column(numbers, columns[i].value))
			*word++ = value_of(counts, numbers, columns[i].value);
	if (numbers->values & HISTOGRAMS)
		store_histogram(counts, numbers, word);
	memcpy(row, words, key_counts__row_bytes(numbers));
}

/* The kind of sums: numbers that have a unit keep it. */
static enum peat_field_kind kind_of_sums(const struct peat_field *field)
{
	if (field_type__of(field)->unit)
		return field->kind;
	return field->is_signed ? PEAT_FIELD_SIGNED : PEAT_FIELD_UNSIGNED;
}

static struct peat_field column_of(const struct value_column *column, uint32_t offset,
				   const struct peat_field *field)
{
	struct peat_field result = { .kind = PEAT_FIELD_UNSIGNED };

	if (column->value == PEAT_TABLE_MIN || column->value == PEAT_TABLE_MAX) {
		result = *field;
	} else if (column->value == PEAT_TABLE_AVERAGE && !field_type__of(field)->unit) {
		result.kind = PEAT_FIELD_FLOAT;
	} else if (column->value != PEAT_TABLE_COUNT) {
		result.kind = kind_of_sums(field);
		result.is_signed = field->is_signed;
	}
	result.name = column->name;
	result.doc = column->doc;
	result.offset = offset;
	result.bytes = 8;
	result.span = 1;
	return result;
}

static int plan_field(struct plan *plan, const struct peat_field *field)
{
	int index = plan__add(plan, field);

	return index < 0 ? index : 0;
}

static int plan_histogram(struct plan *plan, const struct table_numbers *numbers, uint32_t offset)
{
	struct peat_field negative = { .name = negative_name,
				       .doc = "number of negative numbers",
				       .span = 1,
				       .bytes = 8,
				       .offset = offset };
	struct peat_field slots = {
		.name = slots_name,
		.doc = numbers->values & PEAT_TABLE_LOG2
			       ? "slot i counts numbers from 2^i, the first also 0"
			       : "slots of the same width",
		.kind = PEAT_FIELD_ARRAY,
		.span = 2,
		.bytes = 8 * PEAT_TABLE_SLOTS,
		.count = PEAT_TABLE_SLOTS,
		.offset = offset + 8
	};
	struct peat_field slot = { .name = "", .span = 1, .bytes = 8 };
	int err = counts_negative(numbers) ? plan_field(plan, &negative) : 0;

	if (!err)
		err = plan_field(plan, &slots);
	return err ? err : plan_field(plan, &slot);
}

int key_counts__plan(struct plan *plan, const struct table_numbers *numbers, uint32_t offset,
		     const struct peat_field *field)
{
	int err = 0;

	for (size_t i = 0; !err && i < COLUMNS; i++) {
		struct peat_field column;

		if (!has_column(numbers, columns[i].value))
			continue;
		column = column_of(&columns[i], offset, field);
		err = plan_field(plan, &column);
		offset += 8;
	}
	if (!err && numbers->values & HISTOGRAMS)
		err = plan_histogram(plan, numbers, offset);
	return err;
}
