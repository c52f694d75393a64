// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* record_format.c: the plan by which events become payloads, and its execution. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tracepoint/flatten.h"
#include "tracepoint/format_write.h"
#include "tracepoint/payload.h"

#define HEAD_BYTES 8
#define GAP_MAX	   8 /* bytes that are copied along, as one copy is faster than two */

_Static_assert(LEAVES_BYTES_MAX == RECORD_FORMAT_BYTES_MAX, "leaves fit into a payload");

/* Bytes that are the same in both. */
struct record_run {
	uint32_t from, to, bytes;
};

/* Of those, some that mean nothing when the event ends within them; a row of `each` bytes each. */
struct record_whole {
	uint32_t from, to, bytes, each;
};

/* Numbers that are another one in the payload: `count` of them, at `base` + `step` * i. */
struct record_number {
	const struct peat_field *field;
	uint32_t base, step, count;
	uint32_t to, bytes;
};

/* What stands behind the others. */
struct record_tail {
	const struct peat_field *field;
	const struct peat_field *element;
	enum leaf_shape shape;
	bool has_strings;
	uint32_t base;
	uint32_t to;	   /* what says where it is */
	uint32_t to_count; /* of ELEMENTS: how many there are */
};

/* ---- the plan -------------------------------------------------------------------------------- */

static int by_from(const void *one, const void *other)
{
	const struct record_run *a = one, *b = other;

	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	return a->bytes > b->bytes ? -1 : a->bytes < b->bytes;
}

static void gather_runs(struct record_format *format, const struct leaves *leaves)
{
	for (uint32_t i = 0; i < leaves->count; i++) {
		const struct leaf *leaf = &leaves->at[i];

		if (leaf->shape == LEAF_COPIED)
			format->runs[format->run_count++] = (struct record_run){
				.from = leaf->base + leaf->field->offset,
				.bytes = leaves__bytes(leaf),
			};
	}
	if (format->run_count)
		qsort(format->runs, format->run_count, sizeof(*format->runs), by_from);
}

/* Those that touch, lie over each other or have next to nothing between them become one. */
static void join_runs(struct record_format *format)
{
	uint32_t count = format->run_count;
	struct record_run *runs = format->runs;

	format->run_count = 0;
	for (uint32_t i = 0; i < count; i++) {
		struct record_run *last = format->run_count ? &runs[format->run_count - 1] : NULL;
		uint32_t end = runs[i].from + runs[i].bytes;

		if (last && runs[i].from < last->from + last->bytes + GAP_MAX) {
			if (end > last->from + last->bytes)
				last->bytes = end - last->from;
			continue;
		}
		runs[format->run_count++] = runs[i];
	}
}

static void place_runs(struct record_format *format)
{
	for (uint32_t i = 0; i < format->run_count; i++) {
		struct record_run *run = &format->runs[i];

		run->to = format->fixed_bytes;
		format->fixed_bytes += run->bytes;
		format->event_bytes = run->from + run->bytes;
	}
}

/* Where its bytes are, all of which are in one run. */
static uint32_t find_copy(const struct record_format *format, uint32_t from)
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

static void plan_copy(struct record_format *format, struct leaf *leaf)
{
	uint32_t from = leaf->base + leaf->field->offset;

	leaf->at = find_copy(format, from);
	if (leaf->kind != PEAT_FIELD_BYTES && leaf->bytes > 1)
		format->wholes[format->whole_count++] = (struct record_whole){
			.from = from,
			.to = leaf->at,
			.bytes = leaves__bytes(leaf),
			.each = leaf->bytes,
		};
}

static void plan_number(struct record_format *format, const struct leaf *leaf)
{
	bool row = leaf->count;

	format->numbers[format->number_count++] = (struct record_number){
		.field = leaf->element,
		.base = leaf->base + (row ? leaf->field->offset : 0),
		.step = leaf->element->bytes,
		.count = row ? leaf->count : 1,
		.to = leaf->at,
		.bytes = leaf->bytes,
	};
}

static void plan_tail(struct record_format *format, const struct leaf *leaf)
{
	format->tails[format->tail_count++] = (struct record_tail){
		.field = leaf->field,
		.element = leaf->element,
		.shape = leaf->shape,
		.has_strings = leaf->kind == PEAT_FIELD_STRINGS,
		.base = leaf->base,
		.to = leaf->at,
		.to_count = leaf->shape == LEAF_ELEMENTS ? leaf[-1].at : 0,
	};
}

static void plan_leaf(struct record_format *format, struct leaf *leaf)
{
	if (leaf->shape == LEAF_COPIED) {
		plan_copy(format, leaf);
		return;
	}
	leaf->at = format->fixed_bytes;
	format->fixed_bytes += leaves__bytes(leaf);
	if (leaf->shape == LEAF_NUMBERS)
		plan_number(format, leaf);
	else if (leaves__is_behind(leaf))
		plan_tail(format, leaf);
}

static int make_plan(struct record_format *format, struct leaves *leaves)
{
	size_t room = leaves->count + 1;

	format->runs = calloc(room, sizeof(*format->runs));
	format->wholes = calloc(room, sizeof(*format->wholes));
	format->numbers = calloc(room, sizeof(*format->numbers));
	format->tails = calloc(room, sizeof(*format->tails));
	if (!format->runs || !format->wholes || !format->numbers || !format->tails)
		return -ENOMEM;
	format->fixed_bytes = HEAD_BYTES;
	gather_runs(format, leaves);
	join_runs(format);
	place_runs(format);
	for (uint32_t i = 0; i < leaves->count; i++)
		plan_leaf(format, &leaves->at[i]);
	return 0;
}

static int make_text(struct record_format *format, const struct leaves *leaves, const char *event)
{
	struct out text = { 0 };

	format_text__append(&text, leaves, event, format->id);
	if (text.failed) {
		out__free(&text);
		return -ENOMEM;
	}
	format->text = text.bytes;
	format->text_bytes = text.count;
	return 0;
}

int record_format__make(struct record_format *format, const struct peat_schema *schema,
			const char *event, uint32_t id)
{
	struct leaves leaves;
	int err;

	*format = (struct record_format){ .id = id };
	if (id < RECORD_FORMAT_ID_MIN || id > RECORD_FORMAT_ID_MAX)
		return -EINVAL;
	err = leaves__gather(&leaves, schema);
	if (!err)
		err = make_plan(format, &leaves);
	if (!err)
		err = make_text(format, &leaves, event);
	format->fields = leaves.count;
	format->left_out = leaves.left_out;
	leaves__free(&leaves);
	if (err)
		record_format__free(format);
	return err;
}

void record_format__free(struct record_format *format)
{
	free(format->text);
	free(format->runs);
	free(format->wholes);
	free(format->numbers);
	free(format->tails);
	*format = (struct record_format){ 0 };
}

/* ---- what has a place of its own ------------------------------------------------------------- */

static void put_head(const struct record_format *format, uint32_t tid, uint8_t *out)
{
	uint16_t id = (uint16_t)format->id;

	memcpy(out, &id, sizeof(id));
	memset(out + 2, 0, 2);
	memcpy(out + 4, &tid, sizeof(tid));
}

static void copy_runs(const struct record_format *format, const uint8_t *data, uint8_t *out)
{
	for (uint32_t i = 0; i < format->run_count; i++) {
		const struct record_run *run = &format->runs[i];

		memcpy(out + run->to, data + run->from, run->bytes);
	}
}

/* Of a number that is half there nothing is. */
static void clear_half(const struct record_whole *whole, uint32_t bytes, uint8_t *out)
{
	uint32_t there = bytes > whole->from ? bytes - whole->from : 0;

	if (there < whole->bytes)
		memset(out + whole->to + there - there % whole->each, 0, there % whole->each);
}

/* Of an event that has not all of it. */
static void copy_there(const struct record_format *format, const uint8_t *data, uint32_t bytes,
		       uint8_t *out)
{
	for (uint32_t i = 0; i < format->run_count; i++) {
		const struct record_run *run = &format->runs[i];
		uint32_t there = bytes > run->from ? bytes - run->from : 0;

		if (there > run->bytes)
			there = run->bytes;
		if (there)
			memcpy(out + run->to, data + run->from, there);
		memset(out + run->to + there, 0, run->bytes - there);
	}
	for (uint32_t i = 0; i < format->whole_count; i++)
		clear_half(&format->wholes[i], bytes, out);
}

static void store(uint8_t *to, uint64_t value, uint32_t bytes)
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

/* Those that are not there are 0. */
static void put_numbers(const struct record_number *number, const uint8_t *data, uint32_t bytes,
			uint8_t *out)
{
	uint32_t base = number->base;

	for (uint32_t i = 0; i < number->count; i++, base += number->step) {
		uint64_t value = 0;

		if (base < bytes)
			peat_field__number(number->field, data + base, bytes - base, &value);
		store(out + number->to + i * number->bytes, value, number->bytes);
	}
}

/* ---- what stands behind the others ----------------------------------------------------------- */

struct tails {
	uint8_t *out;
	uint32_t at, end;
	bool cut;
};

static uint32_t limit(struct tails *tails, uint32_t bytes, uint32_t room)
{
	if (bytes <= room)
		return bytes;
	tails->cut = true;
	return room;
}

/* Each of these writes at most `room` bytes, at least 1, and returns how many. */
static uint32_t put_string(struct tails *tails, const char *from, uint32_t count, uint32_t room)
{
	uint8_t *to = tails->out + tails->at;
	uint32_t bytes = limit(tails, (uint32_t)strnlen(from, count), room - 1);

	memcpy(to, from, bytes);
	to[bytes] = '\0';
	return bytes + 1;
}

static uint32_t put_strings(struct tails *tails, const char *from, uint32_t count, uint32_t room)
{
	char *to = (char *)tails->out + tails->at, *nul;
	uint32_t bytes;

	while (count && !from[count - 1])
		count--;
	bytes = limit(tails, count, room - 1);
	memcpy(to, from, bytes);
	for (nul = to; (nul = memchr(nul, '\0', bytes - (size_t)(nul - to)));)
		*nul = ' ';
	to[bytes] = '\0';
	return bytes + 1;
}

static uint32_t put_hex(struct tails *tails, const uint8_t *from, uint32_t count, uint32_t room)
{
	static const char digits[] = "0123456789abcdef";
	uint8_t *to = tails->out + tails->at;
	uint32_t bytes = limit(tails, count, (room - 1) / 2);

	for (uint32_t i = 0; i < bytes; i++) {
		*to++ = (uint8_t)digits[from[i] >> 4];
		*to++ = (uint8_t)digits[from[i] & 15];
	}
	*to = '\0';
	return 2 * bytes + 1;
}

/* Without any there is a byte all the same: nothing says that it is behind the payload. */
static uint32_t put_elements(struct tails *tails, const struct record_tail *tail,
			     const uint8_t *from, uint32_t count, uint32_t room)
{
	uint32_t each = tail->element->bytes;
	uint8_t *to = tails->out + tails->at;
	uint32_t elements = limit(tails, count / each, room / each);

	for (uint32_t i = 0; i < elements && tail->element->big_endian; i++) {
		uint64_t value;

		if (peat_field__number(tail->element, from + i * each, each, &value))
			store(to + i * each, value, each);
	}
	if (!tail->element->big_endian)
		memcpy(to, from, elements * each);
	if (!elements)
		*to = 0;
	store(tails->out + tail->to_count, elements, sizeof(elements));
	return elements * each;
}

/* `behind`: of the tails that are still to come, of which each gets a byte. */
static void put_tail(struct tails *tails, const struct record_tail *tail, const uint8_t *data,
		     uint32_t bytes, uint32_t behind)
{
	uint32_t room = tails->end - tails->at - behind, count = 0, used;
	const void *from = NULL;

	if (tail->base <= bytes)
		from = fields__bytes(tail->field, data + tail->base, bytes - tail->base, &count);
	if (!from) {
		from = "";
		count = 0;
	}
	if (tail->shape == LEAF_ELEMENTS)
		used = put_elements(tails, tail, from, count, room);
	else if (tail->shape == LEAF_HEX)
		used = put_hex(tails, from, count, room);
	else if (tail->has_strings)
		used = put_strings(tails, from, count, room);
	else
		used = put_string(tails, from, count, room);
	store(tails->out + tail->to, used << 16 | tails->at, sizeof(uint32_t));
	tails->at += used ? used : 1;
}

/* ---- an event -------------------------------------------------------------------------------- */

int record_format__convert(const struct record_format *format, const void *data, uint32_t bytes,
			   uint32_t tid, void *out, size_t room)
{
	struct tails tails = { .out = out, .at = format->fixed_bytes };
	const uint8_t *from = bytes ? data : (const void *)"";

	if (room > RECORD_FORMAT_BYTES_MAX)
		room = RECORD_FORMAT_BYTES_MAX;
	if (room < format->fixed_bytes + format->tail_count)
		return -ENOSPC;
	tails.end = (uint32_t)room;
	put_head(format, tid, out);
	if (__builtin_expect(bytes >= format->event_bytes, 1))
		copy_runs(format, from, out);
	else
		copy_there(format, from, bytes, out);
	for (uint32_t i = 0; i < format->number_count; i++)
		put_numbers(&format->numbers[i], from, bytes, out);
	for (uint32_t i = 0; i < format->tail_count; i++)
		put_tail(&tails, &format->tails[i], from, bytes, format->tail_count - 1 - i);
	return (int)(tails.at | (tails.cut ? RECORD_FORMAT_CUT : 0));
}
