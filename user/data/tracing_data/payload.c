// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* tracing_data/payload.c: plans how events become payloads, and executes the plan. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "field/several_strings.h"
#include "tracing_data/format_write.h"
#include "tracing_data/payload_plan.h"

#define HEAD_BYTES PAYLOAD_HEAD_BYTES
#define GAP_MAX	   8 /* smaller gaps are copied along: one copy is faster than two */

_Static_assert(FLATTEN_BYTES_MAX == PAYLOAD_BYTES_MAX, "leaves fit into a payload");

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

/* Stacks are no part of a payload: samples have them. */
static uint32_t whole_bytes(const struct peat_schema *schema)
{
	const struct peat_field *stack = schema ? fields__stack(schema) : NULL;

	return stack ? stack->offset : schema ? schema->bytes : 0;
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
	format->whole_bytes = whole_bytes(schema);
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

void payload__store_number(uint8_t *to, uint64_t value, uint32_t bytes)
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
		payload__store_number(out + number->to + i * number->bytes, value, number->bytes);
	}
}

/* ---- dynamic part ---------------------------------------------------------------------------- */

static uint32_t limit_tail(struct payload_tails *tails, uint32_t bytes, uint32_t room)
{
	if (bytes <= room)
		return bytes;
	tails->cut = true;
	return room;
}

/* The next functions write 1 to `room` bytes and return their number. */
static uint32_t write_strings(struct payload_tails *tails, const char *from, uint32_t count,
			      uint32_t room)
{
	char *to = (char *)tails->out + tails->at, *nul;
	uint32_t bytes;

	while (count && !from[count - 1])
		count--;
	bytes = limit_tail(tails, count, room - 1);
	memcpy(to, from, bytes);
	for (nul = to; (nul = memchr(nul, '\0', bytes - (size_t)(nul - to)));) {
		*nul = ' ';
		tails->has_strings = true;
	}
	to[bytes] = '\0';
	return bytes + 1;
}

static uint32_t write_chars(struct payload_tails *tails, const char *from, uint32_t count,
			    uint32_t room)
{
	uint32_t bytes = limit_tail(tails, count, room - 1);

	memcpy(tails->out + tails->at, from, bytes);
	tails->out[tails->at + bytes] = '\0';
	return bytes + 1;
}

static uint32_t write_hex_digits(struct payload_tails *tails, const uint8_t *from, uint32_t count,
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
static uint32_t write_elements(struct payload_tails *tails, const struct payload_tail *tail,
			       const uint8_t *from, uint32_t count, uint32_t room)
{
	uint32_t each = tail->element->bytes;
	uint8_t *to = tails->out + tails->at;
	uint32_t elements = limit_tail(tails, count / each, room / each);

	for (uint32_t i = 0; i < elements && tail->element->big_endian; i++) {
		uint64_t value;

		if (peat_field__number(tail->element, from + i * each, each, &value))
			payload__store_number(to + i * each, value, each);
	}
	if (!tail->element->big_endian)
		memcpy(to, from, elements * each);
	if (!elements)
		*to = 0;
	payload__store_number(tails->out + tail->to_count, elements, sizeof(elements));
	return elements * each;
}

const void *payload_tail__bytes(const struct payload_tail *tail, const uint8_t *data,
				uint32_t bytes, uint32_t *count)
{
	const void *from = NULL;

	*count = 0;
	if (tail->base <= bytes)
		from = fields__bytes(tail->field, data + tail->base, bytes - tail->base, count);
	if (from && tail->is_string)
		*count = several_strings__bytes(tail->field, data + tail->base, bytes - tail->base,
						from, *count);
	if (from)
		return from;
	*count = 0;
	return "";
}

/*
 * Notes the end of a field of `count` bytes that was cut: `used` bytes of the payload have its
 * beginning.
 */
static void note_cut(struct payload_tails *tails, const struct payload_tail *tail, uint32_t count,
		     uint32_t used)
{
	tails->kept = tail->base + tail->field->offset;
	tails->whole = tails->kept + (tail->field->bytes ? tail->field->bytes : count);
	if (tail->shape == LEAF_ELEMENTS)
		tails->kept += used;
	else
		tails->kept += tail->shape == LEAF_HEX ? used / 2 : used - 1;
}

/* `remaining`: number of tails after this one; each needs at least a byte. */
static void write_tail(struct payload_tails *tails, const struct payload_tail *tail,
		       const uint8_t *data, uint32_t bytes, uint32_t remaining)
{
	uint32_t room = tails->end - tails->at - remaining, count, used;
	const void *from = payload_tail__bytes(tail, data, bytes, &count);
	bool was_cut = tails->cut;

	if (tail->shape == LEAF_ELEMENTS)
		used = write_elements(tails, tail, from, count, room);
	else if (tail->shape == LEAF_HEX)
		used = write_hex_digits(tails, from, count, room);
	else if (tail->shape == LEAF_CHARS)
		used = write_chars(tails, from, count, room);
	else
		used = write_strings(tails, from, count, room);
	if (tails->cut && !was_cut)
		note_cut(tails, tail, count, used);
	payload__store_number(tails->out + tail->to, used << 16 | tails->at, sizeof(uint32_t));
	tails->at += used ? used : 1;
}

/* ---- an event -------------------------------------------------------------------------------- */

/* Whether there is no field for bytes after the event's struct.  Padding is no loss. */
static bool misses_bytes(const struct payload_format *format, uint32_t bytes)
{
	return payload__appended(format, bytes) > APPENDED_PADDING_MAX;
}

bool payload__is_copied(const struct payload_format *format, uint32_t bytes,
			uint32_t *payload_bytes)
{
	*payload_bytes = format->fixed_bytes;
	if (format->is_exact && bytes != format->whole_bytes)
		return false;
	return bytes >= format->event_bytes && !format->number_count && !format->tail_count &&
	       !misses_bytes(format, bytes);
}

int payload__convert(const struct payload_format *format, const void *data, uint32_t bytes,
		     uint32_t tid, void *out, size_t room)
{
	struct payload_tails tails = { .out = out, .at = format->fixed_bytes };
	const uint8_t *from = bytes ? data : (const void *)"";
	uint32_t rest_bytes = format->is_exact ? REST_HEAD_BYTES : 0;

	if (room > PAYLOAD_BYTES_MAX)
		room = PAYLOAD_BYTES_MAX;
	if (room < format->fixed_bytes + format->tail_count + rest_bytes)
		return -ENOSPC;
	tails.end = (uint32_t)room - rest_bytes;
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
	tails.end = (uint32_t)room;
	if (format->is_exact)
		payload_rest__append(format, &tails, from, bytes);
	tails.cut |= misses_bytes(format, bytes);
	return (int)(tails.at | (tails.cut ? PAYLOAD_CUT : 0));
}
