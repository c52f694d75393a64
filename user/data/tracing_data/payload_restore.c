// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* tracing_data/payload_restore.c: payloads become events again. */
#include <errno.h>
#include <string.h>

#include "tracing_data/payload_plan.h"

#define LITTLE_ENDIAN_HERE (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)

/* ---- the rest: writing ----------------------------------------------------------------------- */

static bool has_room(const struct payload_tails *tails, uint32_t bytes)
{
	return bytes <= tails->end - tails->at;
}

/* Appends a bit for each blank of the text, which `from` is the original of. */
static bool append_bits(struct payload_tails *tails, const uint8_t *text, uint32_t count,
			const uint8_t *from, uint32_t *bits)
{
	for (uint32_t i = 0; i < count; i++) {
		if (text[i] != ' ')
			continue;
		if (*bits % 8 == 0) {
			if (!has_room(tails, 1))
				return false;
			tails->out[tails->at++] = 0;
		}
		if (!from[i])
			tails->out[tails->at - 1] |= (uint8_t)(1 << *bits % 8);
		++*bits;
	}
	return true;
}

/* Finds the bytes of a tail in a payload.  False: they are not within it. */
static bool find_tail(const struct payload_tail *tail, const uint8_t *payload, uint32_t bytes,
		      uint32_t *at, uint32_t *count)
{
	uint32_t where;

	memcpy(&where, payload + tail->to, sizeof(where));
	*at = where & UINT16_MAX;
	*count = where >> 16;
	return *at <= bytes && *count <= bytes - *at;
}

/* `bytes`: of the whole event, from which the texts were copied, not of the one that is restored.
 */
static void append_separators(const struct payload_format *format, struct payload_tails *tails,
			      const uint8_t *data, uint32_t bytes)
{
	uint32_t bits = 0, payload_bytes = tails->at, at, count, left;
	bool has_more = true;

	for (uint32_t i = 0; has_more && i < format->tail_count; i++) {
		const struct payload_tail *tail = &format->tails[i];
		const void *from;

		if (tail->shape != LEAF_TEXT ||
		    !find_tail(tail, tails->out, payload_bytes, &at, &count))
			continue;
		from = payload_tail__bytes(tail, data, bytes, &left);
		has_more = append_bits(tails, tails->out + at, count - 1, from, &bits);
	}
}

bool payload_rest__has_fields(const struct payload_format *format, uint32_t end, uint32_t bytes)
{
	bool has = end < bytes && format->event_bytes > end;

	for (uint32_t i = 0; !has && i < format->number_count; i++) {
		const struct payload_number *number = &format->numbers[i];
		uint32_t last = number->base + (number->count - 1) * number->step;

		has = last + number->field->offset >= end && end < bytes;
	}
	for (uint32_t i = 0; !has && i < format->tail_count; i++) {
		uint32_t at = format->tails[i].base + format->tails[i].field->offset;

		has = at >= end && at < bytes;
	}
	return has;
}

/* Whether a field before others was cut, so that the event cannot end in it. */
static bool is_cut_inside(const struct payload_format *format, const struct payload_tails *tails,
			  uint32_t bytes)
{
	return tails->cut && payload_rest__has_fields(format, tails->whole, bytes);
}

static void append_head(struct payload_tails *tails, uint8_t mark, uint32_t bytes)
{
	uint16_t size = bytes > UINT16_MAX ? UINT16_MAX : (uint16_t)bytes;

	tails->out[tails->at++] = mark;
	memcpy(tails->out + tails->at, &size, sizeof(size));
	tails->at += (uint32_t)sizeof(size);
}

void payload_rest__append(const struct payload_format *format, struct payload_tails *tails,
			  const uint8_t *data, uint32_t bytes)
{
	uint32_t appended = payload__appended(format, bytes), size = bytes;

	if (bytes == format->whole_bytes && !tails->cut && !tails->has_strings)
		return;
	if (is_cut_inside(format, tails, bytes)) {
		append_head(tails, REST_LOST, bytes);
		return;
	}
	if (appended &&
	    (tails->cut || bytes > UINT16_MAX || !has_room(tails, REST_HEAD_BYTES + appended))) {
		size -= appended;
		appended = 0;
	}
	if (tails->cut && size > tails->kept)
		size = tails->kept;
	append_head(tails, REST_MARK, size);
	if (appended)
		memcpy(tails->out + tails->at, data + size - appended, appended);
	tails->at += appended;
	if (tails->has_strings)
		append_separators(format, tails, data, bytes);
}

/* ---- the rest: reading ----------------------------------------------------------------------- */

/* An event that is being restored. */
struct restored {
	const struct payload_format *format;
	const uint8_t *payload;
	uint32_t bytes; /* of the payload */
	uint8_t *out;
	uint32_t room;
	uint32_t size;		 /* of the event */
	const uint8_t *appended; /* the bytes after its struct */
	uint32_t appended_bytes;
	const uint8_t *bits, *bits_end; /* NULL: all blanks are blanks */
	uint32_t bit;			/* the next of them */
};

/* The size in the event of a tail that has `count` bytes in the payload. */
static uint32_t event_bytes_of(const struct payload_tail *tail, uint32_t count)
{
	if (tail->shape == LEAF_ELEMENTS)
		return count;
	if (!count)
		return 0;
	return tail->shape == LEAF_HEX ? (count - 1) / 2 : count - 1;
}

/* Whether the event ends in this field, which has no NUL at its end, is always there, and has no
 * length elsewhere. */
static bool ends_event(const struct payload_format *format, const struct payload_tail *tail)
{
	uint32_t end = tail->base + tail->field->offset + tail->field->bytes;

	return (tail->shape == LEAF_CHARS || tail->shape == LEAF_HEX) && !tail->field->length &&
	       !tail->field->presence && end + APPENDED_PADDING_MAX >= format->whole_bytes &&
	       !payload_rest__has_fields(format, end, UINT32_MAX);
}

/*
 * Finds the end of all tails in the payload, and the size that the event has if it is not stated:
 * its last field may be longer than the struct, or was shorter.
 */
static int measure_tails(struct restored *r, uint32_t *end)
{
	const struct payload_format *format = r->format;

	*end = format->fixed_bytes;
	r->size = format->whole_bytes;
	for (uint32_t i = 0; i < format->tail_count; i++) {
		const struct payload_tail *tail = &format->tails[i];
		uint32_t at, count, event_end;

		if (!find_tail(tail, r->payload, r->bytes, &at, &count))
			return -EBADMSG;
		if (at + (count ? count : 1) > *end)
			*end = at + (count ? count : 1);
		event_end = tail->base + tail->field->offset + event_bytes_of(tail, count);
		if (!tail->field->bytes && event_bytes_of(tail, count) && event_end > r->size)
			r->size = event_end;
		else if (event_bytes_of(tail, count) < tail->field->bytes &&
			 ends_event(format, tail))
			r->size = event_end;
	}
	return 0;
}

/* Sets the event's size, and finds the bytes after its struct and the bits. */
static int read_rest(struct restored *r)
{
	const uint8_t *rest;
	uint32_t end, left;
	uint16_t size;
	int err = measure_tails(r, &end);

	left = err || end > r->bytes ? 0 : r->bytes - end;
	rest = r->payload + end;
	if (left >= REST_HEAD_BYTES && *rest == REST_LOST)
		return -ENODATA;
	if (left < REST_HEAD_BYTES || *rest != REST_MARK)
		return err;
	memcpy(&size, rest + 1, sizeof(size));
	r->size = size;
	r->appended = rest + REST_HEAD_BYTES;
	r->appended_bytes = payload__appended(r->format, size);
	left -= REST_HEAD_BYTES;
	if (r->appended_bytes > left)
		return -EBADMSG;
	r->bits = left > r->appended_bytes ? r->appended + r->appended_bytes : NULL;
	r->bits_end = r->appended + left;
	return 0;
}

static bool is_separator(struct restored *r)
{
	uint32_t bit = r->bit++;

	return bit / 8 < r->bits_end - r->bits && r->bits[bit / 8] >> bit % 8 & 1;
}

/* ---- fields ---------------------------------------------------------------------------------- */

/* Where `bytes` bytes at this offset of the event are restored.  NULL: outside of it. */
static uint8_t *place(const struct restored *r, uint32_t at, uint32_t bytes)
{
	return at <= r->room && bytes <= r->room - at ? r->out + at : NULL;
}

static uint64_t load_number(const uint8_t *at, uint32_t bytes)
{
	uint16_t two;
	uint32_t four;
	uint64_t eight;

	if (bytes == 1)
		return *at;
	if (bytes == 2) {
		memcpy(&two, at, sizeof(two));
		return two;
	}
	if (bytes == 4) {
		memcpy(&four, at, sizeof(four));
		return four;
	}
	memcpy(&eight, at, sizeof(eight));
	return eight;
}

/* The inverse of peat_field__number(): keeps the bits around a bit-field. */
static void store_field(const struct peat_field *field, uint8_t *at, uint64_t value)
{
	uint8_t bytes[8] = { 0 };
	bool swaps = field->big_endian && LITTLE_ENDIAN_HERE;

	for (uint32_t i = 0; i < field->bytes; i++)
		bytes[i] = at[swaps ? field->bytes - 1 - i : i];
	if (field->bits && field->bits < 64) {
		uint64_t mask = ((1ULL << field->bits) - 1) << field->bit_offset;

		value = (load_number(bytes, field->bytes) & ~mask) |
			(value << field->bit_offset & mask);
	}
	payload__store_number(bytes, value, field->bytes);
	for (uint32_t i = 0; i < field->bytes; i++)
		at[swaps ? field->bytes - 1 - i : i] = bytes[i];
}

/* A number that the event does not have in full is 0 in the payload, but may be in a union. */
static void restore_numbers(struct restored *r, const struct payload_number *number)
{
	for (uint32_t i = 0; i < number->count; i++) {
		uint32_t at = number->base + i * number->step + number->field->offset;
		uint8_t *to = place(r, at, number->field->bytes);

		if (to && at + number->field->bytes <= r->size)
			store_field(number->field, to,
				    load_number(r->payload + number->to + i * number->bytes,
						number->bytes));
	}
}

static void restore_text(struct restored *r, uint8_t *to, const uint8_t *from, uint32_t count)
{
	memcpy(to, from, count);
	for (uint32_t i = 0; r->bits && i < count; i++)
		if (to[i] == ' ' && is_separator(r))
			to[i] = '\0';
}

static uint8_t digit(uint8_t c)
{
	return (uint8_t)(c >= 'a' ? c - 'a' + 10 : c - '0') & 15;
}

static void restore_elements(const struct payload_tail *tail, uint8_t *to, const uint8_t *from,
			     uint32_t count)
{
	uint32_t each = tail->element->bytes;

	memcpy(to, from, count);
	for (uint32_t i = 0; tail->element->big_endian && i + each <= count; i += each)
		store_field(tail->element, to + i, load_number(from + i, each));
}

static void restore_tail(struct restored *r, const struct payload_tail *tail)
{
	uint32_t at, count = 0, bytes;
	const uint8_t *from;
	uint8_t *to;

	find_tail(tail, r->payload, r->bytes, &at, &count);
	from = r->payload + at;
	bytes = event_bytes_of(tail, count);
	if (tail->field->bytes && bytes > tail->field->bytes)
		bytes = tail->field->bytes;
	to = place(r, tail->base + tail->field->offset, bytes);
	if (!to)
		return;
	if (tail->shape == LEAF_ELEMENTS) {
		restore_elements(tail, to, from, bytes);
	} else if (tail->shape == LEAF_HEX) {
		for (uint32_t i = 0; i < bytes; i++)
			to[i] = (uint8_t)(digit(from[2 * i]) << 4 | digit(from[2 * i + 1]));
	} else if (tail->shape == LEAF_TEXT) {
		restore_text(r, to, from, bytes);
	} else {
		memcpy(to, from, bytes);
	}
}

/* ---- an event -------------------------------------------------------------------------------- */

/* Fields may end after the event, but not after its struct. */
static void restore_fields(struct restored *r)
{
	const struct payload_format *format = r->format;

	for (uint32_t i = 0; i < format->run_count; i++)
		memcpy(r->out + format->runs[i].from, r->payload + format->runs[i].to,
		       format->runs[i].bytes);
	for (uint32_t i = 0; i < format->number_count; i++)
		restore_numbers(r, &format->numbers[i]);
	for (uint32_t i = 0; i < format->tail_count; i++)
		restore_tail(r, &format->tails[i]);
	if (r->appended_bytes)
		memcpy(r->out + r->format->schema->bytes, r->appended, r->appended_bytes);
}

/* Most events: all fields are the same in both, and nothing follows them. */
static bool is_one_run(const struct payload_format *format, uint32_t bytes, size_t room)
{
	return format->run_count == 1 && !format->number_count && !format->tail_count &&
	       bytes == format->fixed_bytes && room >= format->schema->bytes &&
	       !format->runs[0].from && format->runs[0].bytes <= format->whole_bytes;
}

static int restore_run(const struct payload_format *format, const void *payload, void *out)
{
	const struct payload_run *run = &format->runs[0];

	memcpy(out, (const char *)payload + run->to, run->bytes);
	memset((char *)out + run->bytes, 0, format->whole_bytes - run->bytes);
	return (int)format->whole_bytes;
}

int payload__restore(const struct payload_format *format, const void *payload, uint32_t bytes,
		     void *out, size_t room)
{
	struct restored r = { .format = format, .payload = payload, .bytes = bytes, .out = out };
	uint32_t most;
	int err;

	if (!format->schema || format->left_out)
		return -ENOTSUP;
	if (is_one_run(format, bytes, room))
		return restore_run(format, payload, out);
	if (bytes < format->fixed_bytes)
		return -EBADMSG;
	err = read_rest(&r);
	if (err)
		return err;
	most = r.size > format->schema->bytes ? r.size : format->schema->bytes;
	if (most < format->event_bytes)
		most = format->event_bytes;
	if (most > room)
		return -ENOSPC;
	r.room = most;
	memset(out, 0, r.size);
	restore_fields(&r);
	return (int)r.size;
}
