// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* value.c: the fields of an event as text for people. */
#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "schema/fields.h"
#include "sys/kallsyms.h"
#include "schema/field_text.h"

/* The first of glibc's; the kernel's begin two below, which glibc keeps for itself. */
#define REALTIME_FIRST 34
#define REALTIME_LAST  64

/* What is around a value. */
enum place {
	ALONE, /* nothing: it is a cell, or the text of a field */
	AMONG_OTHERS,
};

static void append(struct out *out, const struct peat_field *field, const void *data,
		   uint32_t bytes, enum place place);

/* ---- names ----------------------------------------------------------------------------------- */

static uint64_t mask_of(const struct peat_field *field)
{
	uint32_t bits = field->bits ? field->bits : field->bytes * 8;

	return bits >= 64 ? UINT64_MAX : (1ULL << bits) - 1;
}

/* The first of those with this value. */
static const char *find_name(const struct peat_field *field, uint64_t value)
{
	uint32_t low = 0, high = field->name_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (field->names[middle].value < value)
			low = middle + 1;
		else
			high = middle;
	}
	return low < field->name_count && field->names[low].value == value ? field->names[low].name
									   : NULL;
}

static void append_escaped(struct out *out, const char *text)
{
	escape__text(out, text, strlen(text), 0);
}

/*
 * From the largest down: a name of several bits has a larger value than each name of some of them,
 * and so comes before.
 */
static bool append_flags(struct out *out, const struct peat_field *field, uint64_t value)
{
	uint64_t mask = mask_of(field), rest = value & mask;
	uint32_t taken[64], count = 0; /* each takes a bit at least */

	for (uint32_t i = field->name_count; rest && i--;) {
		uint64_t bits = field->names[i].value & mask;

		if (!bits || (rest & bits) != bits)
			continue;
		taken[count++] = i;
		rest &= ~bits;
	}
	if (!count)
		return false;
	for (uint32_t i = count; i--;) {
		append_escaped(out, field->names[taken[i]].name);
		if (i)
			out__char(out, '|');
	}
	if (rest) {
		out__char(out, '|');
		out__hex(out, rest);
	}
	return true;
}

/* Those of the kernel alone, which programs never see but probes do. */
static const char *kernel_errno_name(int64_t err)
{
	static const char *const names[] = {
		"ERESTARTSYS",
		"ERESTARTNOINTR",
		"ERESTARTNOHAND",
		"ENOIOCTLCMD",
		"ERESTART_RESTARTBLOCK",
		"EPROBE_DEFER",
		"EOPENSTALE",
		"ENOPARAM",
		NULL,
		"EBADHANDLE",
		"ENOTSYNC",
		"EBADCOOKIE",
		"ENOTSUPP",
		"ETOOSMALL",
		"ESERVERFAULT",
		"EBADTYPE",
		"EJUKEBOX",
		"EIOCBQUEUED",
		"ERECALLCONFLICT",
		"ENOGRACE",
	};

	if (err < 512 || err >= 512 + (int64_t)(sizeof(names) / sizeof(*names)))
		return NULL;
	return names[err - 512];
}

const char *value__errno_name(int64_t result)
{
	const char *name;

	if (result >= 0 || result < -4095)
		return NULL;
	name = strerrorname_np((int)-result);
	return name ? name : kernel_errno_name(-result);
}

static bool append_signal(struct out *out, uint64_t value)
{
	const char *name;

	if (!value || value > REALTIME_LAST)
		return false;
	if (value >= REALTIME_FIRST) {
		out__text(out, "SIGRTMIN");
		if (value > REALTIME_FIRST) {
			out__char(out, '+');
			out__unsigned(out, value - REALTIME_FIRST);
		}
		return true;
	}
	name = sigabbrev_np((int)value);
	if (!name)
		return false;
	out__text(out, "SIG");
	out__text(out, name);
	return true;
}

bool value__append_name(struct out *out, const struct peat_field *field, uint64_t number)
{
	const char *name = NULL;

	if (field->kind == PEAT_FIELD_SIGNAL)
		return append_signal(out, number);
	if (field->kind == PEAT_FIELD_FLAGS && number && append_flags(out, field, number))
		return true;
	if (field->kind == PEAT_FIELD_ERRNO)
		name = value__errno_name((int64_t)number);
	else if (field->kind == PEAT_FIELD_ENUM || !number)
		name = find_name(field, number);
	if (name)
		append_escaped(out, name);
	return name != NULL;
}

/* ---- numbers --------------------------------------------------------------------------------- */

bool value__float(const struct peat_field *field, const void *data, uint32_t bytes, double *value)
{
	struct peat_field bits = *field;
	uint64_t number;
	uint32_t half;
	float single;

	bits.kind = PEAT_FIELD_UNSIGNED;
	bits.is_signed = false;
	if ((field->bytes != 4 && field->bytes != 8) || field->bits ||
	    !peat_field__number(&bits, data, bytes, &number))
		return false;
	if (field->bytes == 4) {
		half = (uint32_t)number;
		memcpy(&single, &half, sizeof(single));
		*value = (double)single;
	} else {
		memcpy(value, &number, sizeof(*value));
	}
	return true;
}

/* What the locale has for a point may be a comma, or several bytes. */
void value__append_float(struct out *out, const char *format, double value)
{
	char text[64];
	bool in_point = false;

	snprintf(text, sizeof(text), format, value);
	for (const char *p = text; *p; p++) {
		bool point = !isdigit((unsigned char)*p) && !strchr("+-einfa", *p);

		if (!point || !in_point)
			out__char(out, point ? '.' : *p);
		in_point = point;
	}
}

/* Four digits at most, unless it is that many seconds. */
static void append_duration(struct out *out, uint64_t ns)
{
	uint64_t unit = ns < 1000000 ? 1000 : ns < 1000000000 ? 1000000 : 1000000000;
	uint64_t scale = ns / unit < 10 ? 1000 : ns / unit < 100 ? 100 : ns / unit < 1000 ? 10 : 1;
	uint64_t step = unit / scale, rounded = ns / step + (ns % step >= step - ns % step);

	if (ns < 1000) {
		out__unsigned(out, ns);
		out__text(out, "ns");
		return;
	}
	if (rounded == 1000 * scale && unit < 1000000000) {
		append_duration(out, 1000 * unit);
		return;
	}
	out__unsigned(out, rounded / scale);
	rounded %= scale;
	if (rounded)
		out__char(out, '.');
	while (rounded) {
		scale /= 10;
		out__char(out, (char)('0' + rounded / scale));
		rounded %= scale;
	}
	out__text(out, unit == 1000 ? "us" : unit == 1000000 ? "ms" : "s");
}

/* "4.0K", "512K" */
static void append_size(struct out *out, uint64_t value)
{
	uint64_t whole, part;
	uint32_t units = value ? (63 - (uint32_t)__builtin_clzll(value)) / 10 : 0;

	if (!units) {
		out__unsigned(out, value);
		return;
	}
	whole = value >> 10 * units;
	part = value >> 10 * (units - 1) & 1023;
	part = whole < 100 ? (part * 10 + 512) / 1024 : part >= 512 ? 10 : 0;
	if (part == 10) {
		whole++;
		part = 0;
	}
	if (whole == 1024) {
		whole = 1;
		units++;
	}
	out__unsigned(out, whole);
	if (whole < 100) {
		out__char(out, '.');
		out__unsigned(out, part);
	}
	out__char(out, "KMGTPE"[units - 1]);
}

uint64_t *value__stack(const struct peat_field *field, uint64_t number, int64_t *id,
		       uint32_t *count)
{
	uint32_t unused = 64 - (field->bits ? field->bits : field->bytes * 8);
	const struct peat_schema *schema = field->schema;
	uint64_t *addresses;

	*count = 0;
	*id = (int64_t)(number << unused) >> unused; /* whatever the type's sign */
	if (*id < 0 || *id > UINT32_MAX || !schema || schema->stacks_fd < 0 || !schema->stack_max)
		return NULL;
	addresses = calloc(schema->stack_max, sizeof(*addresses));
	if (!addresses)
		return NULL;
	*count = symbols__stack(schema->stacks_fd, (uint32_t)*id, addresses, schema->stack_max);
	if (*count)
		return addresses;
	free(addresses);
	return NULL;
}

static void append_stack(struct out *out, const struct peat_field *field, uint64_t number)
{
	const char *name;
	uint32_t count;
	int64_t id;
	uint64_t *addresses = value__stack(field, number, &id, &count);

	for (uint32_t i = 0; i < count; i++) {
		if (i)
			out__char(out, ';');
		symbols__append(out, addresses[i]);
	}
	free(addresses);
	if (count)
		return;
	name = value__errno_name(id);
	if (name)
		out__text(out, name);
	else
		out__signed(out, id);
}

static void append_number(struct out *out, const struct peat_field *field, uint64_t number)
{
	switch (field->kind) {
	case PEAT_FIELD_HEX:
		out__hex(out, number);
		break;
	case PEAT_FIELD_BOOL:
		out__text(out, number ? "true" : "false");
		break;
	case PEAT_FIELD_FLAGS:
		if (value__append_name(out, field, number))
			break;
		if (number)
			out__hex(out, number & mask_of(field));
		else
			out__char(out, '0');
		break;
	case PEAT_FIELD_DURATION:
		append_duration(out, number);
		break;
	case PEAT_FIELD_SIZE:
		append_size(out, number);
		break;
	case PEAT_FIELD_KADDR:
		symbols__append(out, number);
		break;
	case PEAT_FIELD_KSTACK:
		append_stack(out, field, number);
		break;
	case PEAT_FIELD_ENUM:
	case PEAT_FIELD_ERRNO:
	case PEAT_FIELD_SIGNAL:
		if (value__append_name(out, field, number))
			break;
		/* fall through */
	default:
		if (field->is_signed)
			out__signed(out, (int64_t)number);
		else
			out__unsigned(out, number);
	}
}

/* ---- bytes ----------------------------------------------------------------------------------- */

/* Nothing, a blank or a quote; `among` others also what is around those. */
static bool needs_quotes(const char *text, size_t bytes, bool among)
{
	for (size_t i = 0; i < bytes; i++) {
		char c = text[i];

		if (c == ' ' || c == '"')
			return true;
		if (among && (c == '{' || c == '}' || c == '[' || c == ']'))
			return true;
	}
	return !bytes;
}

static void append_text(struct out *out, const char *text, size_t bytes, bool quoted)
{
	if (quoted)
		out__char(out, '"');
	escape__text(out, text, bytes, quoted ? '"' : 0);
	if (quoted)
		out__char(out, '"');
}

void value__append_string(struct out *out, const char *text, size_t bytes)
{
	bool missing = bytes == 1 && *text == '-';

	append_text(out, text, bytes, missing || needs_quotes(text, bytes, true));
}

/* As a shell would take them; among others each of them as those others are. */
static void append_strings(struct out *out, const char *text, uint32_t bytes, enum place place)
{
	if (place == AMONG_OTHERS)
		out__char(out, '[');
	for (uint32_t at = 0; at < bytes;) {
		size_t length = strnlen(text + at, bytes - at);

		if (at)
			out__char(out, ' ');
		if (place == AMONG_OTHERS)
			value__append_string(out, text + at, length);
		else
			append_text(out, text + at, length, needs_quotes(text + at, length, false));
		at += (uint32_t)length + 1;
	}
	if (place == AMONG_OTHERS)
		out__char(out, ']');
}

static void append_ipv4(struct out *out, const unsigned char *at)
{
	for (uint32_t i = 0; i < 4; i++) {
		if (i)
			out__char(out, '.');
		out__unsigned(out, at[i]);
	}
}

static void append_ipv6(struct out *out, const void *at)
{
	struct in6_addr address;
	char text[INET6_ADDRSTRLEN];

	memcpy(&address, at, sizeof(address));
	if (inet_ntop(AF_INET6, &address, text, sizeof(text)))
		out__text(out, text);
}

static void append_mac(struct out *out, const unsigned char *at)
{
	for (uint32_t i = 0; i < 6; i++) {
		if (i)
			out__char(out, ':');
		out__hex_bytes(out, at + i, 1);
	}
}

static void append_bytes(struct out *out, const struct peat_field *field, const void *at,
			 uint32_t count, enum place place)
{
	if (field->kind == PEAT_FIELD_STRING) {
		size_t length = strnlen(at, count);

		if (place == AMONG_OTHERS)
			value__append_string(out, at, length);
		else
			escape__text(out, at, length, 0);
	} else if (field->kind == PEAT_FIELD_STRINGS) {
		append_strings(out, at, count, place);
	} else if (field->kind == PEAT_FIELD_IPV4 && count == 4) {
		append_ipv4(out, at);
	} else if (field->kind == PEAT_FIELD_IPV6 && count == 16) {
		append_ipv6(out, at);
	} else if (field->kind == PEAT_FIELD_MAC && count == 6) {
		append_mac(out, at);
	} else {
		out__hex_bytes(out, at, count);
	}
}

/* ---- fields of fields ------------------------------------------------------------------------ */

static void append_members(struct out *out, const struct peat_field *field, const void *at,
			   uint32_t count)
{
	out__char(out, '{');
	for (const struct peat_field *inner = field + 1; inner < field + field->span;
	     inner += inner->span) {
		if (inner > field + 1)
			out__char(out, ' ');
		append_escaped(out, inner->name);
		if (*inner->name)
			out__char(out, '=');
		append(out, inner, at, count, AMONG_OTHERS);
	}
	out__char(out, '}');
}

uint32_t value__elements(const struct peat_field *array, uint32_t bytes)
{
	uint32_t each = array->span > 1 ? array[1].bytes : 0, whole = each ? bytes / each : 0;

	if (!array->count || whole >= array->count)
		return array->count ? array->count : whole;
	return whole + (each && bytes % each);
}

static void append_elements(struct out *out, const struct peat_field *field, const char *at,
			    uint32_t count)
{
	uint32_t elements = value__elements(field, count);

	out__char(out, '[');
	for (uint32_t i = 0; i < elements; i++) {
		uint32_t offset = i * field[1].bytes;

		if (i)
			out__char(out, ' ');
		append(out, field + 1, at + offset, count - offset, AMONG_OTHERS);
	}
	out__char(out, ']');
}

static void append(struct out *out, const struct peat_field *field, const void *data,
		   uint32_t bytes, enum place place)
{
	uint32_t count;
	const void *at = fields__bytes(field, data, bytes, &count);
	uint64_t number;
	double value;

	if (!at)
		out__char(out, '-');
	else if (field->kind == PEAT_FIELD_STRUCT || field->kind == PEAT_FIELD_UNION)
		append_members(out, field, at, count);
	else if (field->kind == PEAT_FIELD_ARRAY)
		append_elements(out, field, at, count);
	else if (peat_field__number(field, data, bytes, &number))
		append_number(out, field, number);
	else if (field->kind == PEAT_FIELD_FLOAT && value__float(field, data, bytes, &value))
		value__append_float(out, "%g", value);
	else
		append_bytes(out, field, at, count, place);
}

void value__append(struct out *out, const struct peat_field *field, const void *data,
		   uint32_t bytes)
{
	append(out, field, data, bytes, ALONE);
}

void value__append_quoted(struct out *out, const struct peat_field *field, const void *data,
			  uint32_t bytes)
{
	append(out, field, data, bytes, AMONG_OTHERS);
}

size_t peat_field__text(const struct peat_field *field, const void *data, uint32_t bytes,
			char *text, size_t room)
{
	struct out out = { 0 };
	size_t count;

	value__append(&out, field, bytes ? data : "", bytes);
	count = out.count;
	if (room) {
		size_t fitting = count < room ? count : room - 1;

		memcpy(text, out.bytes ? out.bytes : "", fitting);
		text[fitting] = 0;
	}
	out__free(&out);
	return count;
}
