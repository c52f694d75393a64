// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* tracing_data/payload.c: plans how events become payloads, and executes the plan. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "field/appended.h"
#include "field/several_strings.h"
#include "tracing_data/flatten.h"
#include "tracing_data/format_write.h"
#include "tracing_data/payload.h"

#define HEAD_BYTES PAYLOAD_HEAD_BYTES
#define GAP_MAX	   8 /* smaller gaps are copied along: one copy is faster than two */

_Static_assert(FLATTEN_BYTES_MAX == PAYLOAD_BYTES_MAX, "leaves fit into a payload");

/* Copied numbers of `each` bytes: the last one is cleared if the event ends within it. */
struct payload_whole {
	uint32_t from, to, bytes, each;
};

/* Numbers that are converted: `count` of them, at `base` + `step` * i. */
struct payload_number {
	const struct peat_field *field;
	uint32_t base, step, count;
	uint32_t to, bytes;
};

/* A dynamic field. */
struct payload_tail {
	const struct peat_field *field;
	const struct peat_field *element;
	enum leaf_shape shape;
	bool is_string; /* up to its NUL, or of several strings */
	uint32_t base;
	uint32_t to;	   /* offset of its size and offset */
	uint32_t to_count; /* offset of its number of elements; for ELEMENTS */
};

/* ---- the plan -------------------------------------------------------------------------------- */

static int compare_runs(const void *one, const void *other)
{
	const struct payload_run *a = one, *b = other;

	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	return a->bytes > b->bytes ? -1 : a->bytes < b->bytes;
}

static void collect_runs(struct payload_format *format, const struct leaves *leaves)
{
	for (uint32_t i = 0; i < leaves->count; i++) {
		const struct leaf *leaf = &leaves->at[i];

		if (leaf->shape == LEAF_COPIED)
			format->runs[format->run_count++] = (struct payload_run){
				.from = leaf->base + leaf->field->offset,
				.bytes = flatten__bytes(leaf),
			};
	}
	if (format->run_count)
		qsort(format->runs, format->run_count, sizeof(*format->runs), compare_runs);
}

/* Joins runs that touch, overlap, or have a gap of less than GAP_MAX between them. */
static void join_runs(struct payload_format *format)
{
	uint32_t count = format->run_count;
	struct payload_run *runs = format->runs;

	format->run_count = 0;
	for (uint32_t i = 0; i < count; i++) {
		struct payload_run *last = format->run_count ? &runs[format->run_count - 1] : NULL;
		uint32_t end = runs[i].from + runs[i].bytes;

		if (last && runs[i].from < last->from + last->bytes + GAP_MAX) {
			if (end > last->from + last->bytes)
				last->bytes = end - last->from;
			continue;
		}
		runs[format->run_count++] = runs[i];
	}
}

static void place_runs(struct payload_format *format)
{
	for (uint32_t i = 0; i < format->run_count; i++) {
		struct payload_run *run = &format->runs[i];

		run->to = format->fixed_bytes;
		format->fixed_bytes += run->bytes;
		format->event_bytes = run->from + run->bytes;
	}
}

/* The offset in the payload of a copied field, which is in one run. */
static uint32_t find_copied_offset(const struct payload_format *format, uint32_t from)
{
	uint32_t low = 0, high = format->run_count;

	while (low + 1 < high) {
		uint32_t middle = low + (high - low) / 2;

		if (format->runs[middle].from <= from)
			low = middle;
		else
			high = middle;
	}
	return format->runs[low].to + (from - format->runs[low].from);
}

static void plan_copy(struct payload_format *format, struct leaf *leaf)
{
	uint32_t from = leaf->base + leaf->field->offset;

	leaf->at = find_copied_offset(format, from);
	if (leaf->type->class != PEAT_CLASS_BYTES && leaf->bytes > 1)
		format->wholes[format->whole_count++] = (struct payload_whole){
			.from = from,
			.to = leaf->at,
			.bytes = flatten__bytes(leaf),
			.each = leaf->bytes,
		};
}

static void plan_number(struct payload_format *format, const struct leaf *leaf)
{
	bool row = leaf->count;

	format->numbers[format->number_count++] = (struct payload_number){
		.field = leaf->element,
		.base = leaf->base + (row ? leaf->field->offset : 0),
		.step = leaf->element->bytes,
		.count = row ? leaf->count : 1,
		.to = leaf->at,
		.bytes = leaf->bytes,
	};
}

static void plan_tail(struct payload_format *format, const struct leaf *leaf)
{
	format->tails[format->tail_count++] = (struct payload_tail){
		.field = leaf->field,
		.element = leaf->element,
		.shape = leaf->shape,
		.is_string = leaf->type->strings == FIELD_ONE_STRING,
		.base = leaf->base,
		.to = leaf->at,
		.to_count = leaf->shape == LEAF_ELEMENTS ? leaf[-1].at : 0,
	};
}

static void plan_leaf(struct payload_format *format, struct leaf *leaf)
{
	if (leaf->shape == LEAF_COPIED) {
		plan_copy(format, leaf);
		return;
	}
	leaf->at = format->fixed_bytes;
	format->fixed_bytes += flatten__bytes(leaf);
	if (leaf->shape == LEAF_NUMBERS)
		plan_number(format, leaf);
	else if (flatten__is_dynamic(leaf))
		plan_tail(format, leaf);
}

static int plan_payload(struct payload_format *format, struct leaves *leaves)
{
	size_t room = leaves->count + 1;

	format->runs = calloc(room, sizeof(*format->runs));
	format->wholes = calloc(room, sizeof(*format->wholes));
	format->numbers = calloc(room, sizeof(*format->numbers));
	format->tails = calloc(room, sizeof(*format->tails));
	if (!format->runs || !format->wholes || !format->numbers || !format->tails)
		return -ENOMEM;
	format->fixed_bytes = HEAD_BYTES;
	collect_runs(format, leaves);
	join_runs(format);
	place_runs(format);
	for (uint32_t i = 0; i < leaves->count; i++)
		plan_leaf(format, &leaves->at[i]);
	return 0;
}

static int write_format_text(struct payload_format *format, const struct leaves *leaves,
			     const char *event)
{
	struct strbuf text = { 0 };

	format_write__append(&text, leaves, event, format->id);
	if (text.failed) {
		strbuf__free(&text);
		return -ENOMEM;
	}
	format->text = text.bytes;
	format->text_bytes = text.count;
	return 0;
}

int payload__init(struct payload_format *format, const struct peat_schema *schema,
		  const char *event, uint32_t id)
{
	struct leaves leaves;
	int err;

	*format = (struct payload_format){ .id = id };
	if (id < PAYLOAD_ID_MIN || id > PAYLOAD_ID_MAX)
		return -EINVAL;
	err = flatten__schema(&leaves, schema);
	if (!err)
		err = plan_payload(format, &leaves);
	if (!err)
		err = write_format_text(format, &leaves, event);
	format->schema = schema;
	format->fields = leaves.count;
	format->left_out = leaves.left_out;
	flatten__free(&leaves);
	if (err)
		payload__free(format);
	return err;
}

void payload__free(struct payload_format *format)
{
	free(format->text);
	free(format->runs);
	free(format->wholes);
	free(format->numbers);
	free(format->tails);
	*format = (struct payload_format){ 0 };
}

/* ---- fixed part ------------------------------------------------------------------------------ */

/* Clears a number that the event contains only in part. */
static void clear_partial_number(const struct payload_whole *whole, uint32_t bytes, uint8_t *out)
{
	uint32_t present = bytes > whole->from ? bytes - whole->from : 0;

	if (present < whole->bytes)
		memset(out + whole->to + present - present % whole->each, 0, present % whole->each);
}

/* Copies from an event that is too short for some of the fields. */
static void copy_partial_event(const struct payload_format *format, const uint8_t *data,
			       uint32_t bytes, uint8_t *out)
{
	for (uint32_t i = 0; i < format->run_count; i++) {
		const struct payload_run *run = &format->runs[i];
		uint32_t present = bytes > run->from ? bytes - run->from : 0;

		if (present > run->bytes)
			present = run->bytes;
		if (present)
			memcpy(out + run->to, data + run->from, present);
		memset(out + run->to + present, 0, run->bytes - present);
	}
	for (uint32_t i = 0; i < format->whole_count; i++)
		clear_partial_number(&format->wholes[i], bytes, out);
}

static void store_number(uint8_t *to, uint64_t value, uint32_t bytes)
{
	uint8_t one = (uint8_t)value;
	uint16_t two = (uint16_t)value;
	uint32_t four = (uint32_t)value;

	if (bytes == 1)
		*to = one;
	else if (bytes == 2)
		memcpy(to, &two, sizeof(two));
	else if (bytes == 4)
		memcpy(to, &four, sizeof(four));
	else
		memcpy(to, &value, sizeof(value));
}

/* Numbers beyond the event's end are 0. */
static void write_numbers(const struct payload_number *number, const uint8_t *data, uint32_t bytes,
			  uint8_t *out)
{
	uint32_t base = number->base;

	for (uint32_t i = 0; i < number->count; i++, base += number->step) {
		uint64_t value = 0;

		if (base < bytes)
			peat_field__number(number->field, data + base, bytes - base, &value);
		store_number(out + number->to + i * number->bytes, value, number->bytes);
	}
}

/* ---- dynamic part ---------------------------------------------------------------------------- */

struct tails {
	uint8_t *out;
	uint32_t at, end;
	bool cut;
};

static uint32_t limit_tail(struct tails *tails, uint32_t bytes, uint32_t room)
{
	if (bytes <= room)
		return bytes;
	tails->cut = true;
	return room;
}

/* The next functions write 1 to `room` bytes and return their number. */
static uint32_t write_strings(struct tails *tails, const char *from, uint32_t count, uint32_t room)
{
	char *to = (char *)tails->out + tails->at, *nul;
	uint32_t bytes;

	while (count && !from[count - 1])
		count--;
	bytes = limit_tail(tails, count, room - 1);
	memcpy(to, from, bytes);
	for (nul = to; (nul = memchr(nul, '\0', bytes - (size_t)(nul - to)));)
		*nul = ' ';
	to[bytes] = '\0';
	return bytes + 1;
}

static uint32_t write_chars(struct tails *tails, const char *from, uint32_t count, uint32_t room)
{
	uint32_t bytes = limit_tail(tails, count, room - 1);

	memcpy(tails->out + tails->at, from, bytes);
	tails->out[tails->at + bytes] = '\0';
	return bytes + 1;
}

static uint32_t write_hex_digits(struct tails *tails, const uint8_t *from, uint32_t count,
				 uint32_t room)
{
	static const char digits[] = "0123456789abcdef";
	uint8_t *to = tails->out + tails->at;
	uint32_t bytes = limit_tail(tails, count, (room - 1) / 2);

	for (uint32_t i = 0; i < bytes; i++) {
		*to++ = (uint8_t)digits[from[i] >> 4];
		*to++ = (uint8_t)digits[from[i] & 15];
	}
	*to = '\0';
	return 2 * bytes + 1;
}

/* An array without elements also gets a byte, so that its offset is inside the payload. */
static uint32_t write_elements(struct tails *tails, const struct payload_tail *tail,
			       const uint8_t *from, uint32_t count, uint32_t room)
{
	uint32_t each = tail->element->bytes;
	uint8_t *to = tails->out + tails->at;
	uint32_t elements = limit_tail(tails, count / each, room / each);

	for (uint32_t i = 0; i < elements && tail->element->big_endian; i++) {
		uint64_t value;

		if (peat_field__number(tail->element, from + i * each, each, &value))
			store_number(to + i * each, value, each);
	}
	if (!tail->element->big_endian)
		memcpy(to, from, elements * each);
	if (!elements)
		*to = 0;
	store_number(tails->out + tail->to_count, elements, sizeof(elements));
	return elements * each;
}

/* `remaining`: number of tails after this one; each needs at least a byte. */
static void write_tail(struct tails *tails, const struct payload_tail *tail, const uint8_t *data,
		       uint32_t bytes, uint32_t remaining)
{
	uint32_t room = tails->end - tails->at - remaining, count = 0, used;
	const void *from = NULL;

	if (tail->base <= bytes)
		from = fields__bytes(tail->field, data + tail->base, bytes - tail->base, &count);
	if (from && tail->is_string)
		count = several_strings__bytes(tail->field, data + tail->base, bytes - tail->base,
					       from, count);
	if (!from) {
		from = "";
		count = 0;
	}
	if (tail->shape == LEAF_ELEMENTS)
		used = write_elements(tails, tail, from, count, room);
	else if (tail->shape == LEAF_HEX)
		used = write_hex_digits(tails, from, count, room);
	else if (tail->shape == LEAF_CHARS)
		used = write_chars(tails, from, count, room);
	else
		used = write_strings(tails, from, count, room);
	store_number(tails->out + tail->to, used << 16 | tails->at, sizeof(uint32_t));
	tails->at += used ? used : 1;
}

/* ---- an event -------------------------------------------------------------------------------- */

/* Whether there is no field for bytes after the event's struct.  Padding is no loss. */
static bool misses_bytes(const struct peat_schema *schema, uint32_t bytes)
{
	return schema && !schema->expects_appended && appended__has(schema, bytes) &&
	       bytes - schema->bytes > APPENDED_PADDING_MAX;
}

bool payload__is_copied(const struct payload_format *format, uint32_t bytes,
			uint32_t *payload_bytes)
{
	*payload_bytes = format->fixed_bytes;
	return bytes >= format->event_bytes && !format->number_count && !format->tail_count &&
	       !misses_bytes(format->schema, bytes);
}

int payload__convert(const struct payload_format *format, const void *data, uint32_t bytes,
		     uint32_t tid, void *out, size_t room)
{
	struct tails tails = { .out = out, .at = format->fixed_bytes };
	const uint8_t *from = bytes ? data : (const void *)"";

	if (room > PAYLOAD_BYTES_MAX)
		room = PAYLOAD_BYTES_MAX;
	if (room < format->fixed_bytes + format->tail_count)
		return -ENOSPC;
	tails.end = (uint32_t)room;
	if (__builtin_expect(bytes >= format->event_bytes, 1)) {
		payload__copy(format, from, tid, out);
	} else {
		payload__put_head(format, tid, out);
		copy_partial_event(format, from, bytes, out);
	}
	for (uint32_t i = 0; i < format->number_count; i++)
		write_numbers(&format->numbers[i], from, bytes, out);
	for (uint32_t i = 0; i < format->tail_count; i++)
		write_tail(&tails, &format->tails[i], from, bytes, format->tail_count - 1 - i);
	tails.cut |= misses_bytes(format->schema, bytes);
	return (int)(tails.at | (tails.cut ? PAYLOAD_CUT : 0));
}
