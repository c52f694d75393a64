// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* field/field_text.c: the fields of an event as text for humans. */
#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <peat/wire.h>

#include "base/escape.h"
#include "field/appended.h"
#include "field/fields.h"
#include "sys/kallsyms.h"
#include "field/field_text.h"
#include "field/several_strings.h"

/* glibc's first real-time signal; the kernel's begin two lower, which glibc reserves. */
#define REALTIME_FIRST 34
#define REALTIME_LAST  64

#define APPENDED_SHOWN 64 /* bytes */

/* The way that a value is printed. */
struct style {
	bool quoted;	   /* among other values, not alone in a cell or as the text of a field */
	bool frames_apart; /* stacks as ids: field_text__append_frames() prints the frames */
	enum symbols symbols;
};

static void append_value(struct strbuf *out, const struct peat_field *field, const void *data,
			 uint32_t bytes, struct style style);

/* ---- names ----------------------------------------------------------------------------------- */

static uint64_t field_mask(const struct peat_field *field)
{
	uint32_t bits = field->bits ? field->bits : field->bytes * 8;

	return bits >= 64 ? UINT64_MAX : (1ULL << bits) - 1;
}

/* The first name with this value. */
static const char *name_of_value(const struct peat_field *field, uint64_t value)
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

static void append_escaped_name(struct strbuf *out, const char *text)
{
	escape__text(out, text, strlen(text), 0);
}

/*
 * From the largest value down: so a name of several bits comes before the names of some of them.
 */
static bool append_set_flags(struct strbuf *out, const struct peat_field *field, uint64_t value)
{
	uint64_t mask = field_mask(field), rest = value & mask;
	uint32_t matches[64], count = 0; /* each has at least one bit of its own */

	for (uint32_t i = field->name_count; rest && i--;) {
		uint64_t bits = field->names[i].value & mask;

		if (!bits || (rest & bits) != bits)
			continue;
		matches[count++] = i;
		rest &= ~bits;
	}
	if (!count)
		return false;
	for (uint32_t i = count; i--;) {
		append_escaped_name(out, field->names[matches[i]].name);
		if (i)
			strbuf__char(out, '|');
	}
	if (rest) {
		strbuf__char(out, '|');
		strbuf__hex(out, rest);
	}
	return true;
}

/* Errnos internal to the kernel, which probes see. */
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

const char *field_text__errno_name(int64_t result)
{
	const char *name;

	if (result >= 0 || result < -4095)
		return NULL;
	name = strerrorname_np((int)-result);
	return name ? name : kernel_errno_name(-result);
}

static bool append_signal_name(struct strbuf *out, uint64_t value)
{
	const char *name;

	if (!value || value > REALTIME_LAST)
		return false;
	if (value >= REALTIME_FIRST) {
		strbuf__text(out, "SIGRTMIN");
		if (value > REALTIME_FIRST) {
			strbuf__char(out, '+');
			strbuf__unsigned(out, value - REALTIME_FIRST);
		}
		return true;
	}
	name = sigabbrev_np((int)value);
	if (!name)
		return false;
	strbuf__text(out, "SIG");
	strbuf__text(out, name);
	return true;
}

bool field_text__append_name(struct strbuf *out, const struct peat_field *field, uint64_t number)
{
	const char *name = NULL;

	if (field->kind == PEAT_FIELD_SIGNAL)
		return append_signal_name(out, number);
	if (field->kind == PEAT_FIELD_FLAGS && number && append_set_flags(out, field, number))
		return true;
	if (field->kind == PEAT_FIELD_ERRNO)
		name = field_text__errno_name((int64_t)number);
	else if (field->kind == PEAT_FIELD_ENUM || !number)
		name = name_of_value(field, number);
	if (name)
		append_escaped_name(out, name);
	return name != NULL;
}

/* ---- numbers --------------------------------------------------------------------------------- */

bool field_text__float(const struct peat_field *field, const void *data, uint32_t bytes,
		       double *value)
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

/* The locale's decimal point may be a comma, or several bytes. */
void field_text__append_float(struct strbuf *out, const char *format, double value)
{
	char text[64];
	bool in_point = false;

	snprintf(text, sizeof(text), format, value);
	for (const char *p = text; *p; p++) {
		bool point = !isdigit((unsigned char)*p) && !strchr("+-einfa", *p);

		if (!point || !in_point)
			strbuf__char(out, point ? '.' : *p);
		in_point = point;
	}
}

/* At most four digits, except for 10,000 seconds and more. */
static void append_duration(struct strbuf *out, uint64_t ns)
{
	uint64_t unit = ns < 1000000 ? 1000 : ns < 1000000000 ? 1000000 : 1000000000;
	uint64_t scale = ns / unit < 10 ? 1000 : ns / unit < 100 ? 100 : ns / unit < 1000 ? 10 : 1;
	uint64_t step = unit / scale, rounded = ns / step + (ns % step >= step - ns % step);

	if (ns < 1000) {
		strbuf__unsigned(out, ns);
		strbuf__text(out, "ns");
		return;
	}
	if (rounded == 1000 * scale && unit < 1000000000) {
		append_duration(out, 1000 * unit);
		return;
	}
	strbuf__unsigned(out, rounded / scale);
	rounded %= scale;
	if (rounded)
		strbuf__char(out, '.');
	while (rounded) {
		scale /= 10;
		strbuf__char(out, (char)('0' + rounded / scale));
		rounded %= scale;
	}
	strbuf__text(out, unit == 1000 ? "us" : unit == 1000000 ? "ms" : "s");
}

/* "4.0K", "512K" */
static void append_size(struct strbuf *out, uint64_t value)
{
	uint64_t whole, part;
	uint32_t units = value ? (63 - (uint32_t)__builtin_clzll(value)) / 10 : 0;

	if (!units) {
		strbuf__unsigned(out, value);
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
	strbuf__unsigned(out, whole);
	if (whole < 100) {
		strbuf__char(out, '.');
		strbuf__unsigned(out, part);
	}
	strbuf__char(out, "KMGTPE"[units - 1]);
}

uint64_t *field_text__stack(const struct peat_field *field, uint64_t number, int64_t *id,
			    uint32_t *count)
{
	uint32_t unused = 64 - (field->bits ? field->bits : field->bytes * 8);
	const struct peat_schema *schema = field->schema;
	uint64_t *addresses;

	*count = 0;
	*id = (int64_t)(number << unused) >> unused; /* signed, whatever the type */
	if (*id < 0 || *id > UINT32_MAX || !schema || schema->stacks_fd < 0 || !schema->stack_max)
		return NULL;
	addresses = calloc(schema->stack_max, sizeof(*addresses));
	if (!addresses)
		return NULL;
	*count = kallsyms__stack(schema->stacks_fd, (uint32_t)*id, addresses, schema->stack_max);
	if (*count)
		return addresses;
	free(addresses);
	return NULL;
}

/* Prints the id of a stack without frames.  A negative id is an error, printed by its name. */
static void append_stack_id(struct strbuf *out, int64_t id)
{
	const char *name = field_text__errno_name(id);

	if (name)
		strbuf__text(out, name);
	else
		strbuf__signed(out, id);
}

static void append_kernel_stack(struct strbuf *out, const struct peat_field *field, uint64_t number,
				struct style style)
{
	uint32_t count;
	int64_t id;
	uint64_t *addresses = field_text__stack(field, number, &id, &count);

	if (!count || style.frames_apart)
		append_stack_id(out, id);
	for (uint32_t i = 0; i < count && !style.frames_apart; i++) {
		if (i)
			strbuf__char(out, ';');
		kallsyms__append(out, addresses[i], style.symbols);
	}
	free(addresses);
}

/* Names need the process: peat_symbols__field(). */
static void append_user_stack(struct strbuf *out, const struct peat_field *field, uint64_t number,
			      struct style style)
{
	uint32_t count;
	int64_t id;
	uint64_t *addresses = field_text__stack(field, number, &id, &count);

	if (!count || style.frames_apart)
		append_stack_id(out, id);
	for (uint32_t i = 0; i < count && !style.frames_apart; i++) {
		if (i)
			strbuf__char(out, ';');
		strbuf__hex(out, addresses[i]);
	}
	free(addresses);
}

static void append_number_of_kind(struct strbuf *out, const struct peat_field *field,
				  uint64_t number, struct style style)
{
	switch (field->kind) {
	case PEAT_FIELD_HEX:
		strbuf__hex(out, number);
		break;
	case PEAT_FIELD_BOOL:
		strbuf__text(out, number ? "true" : "false");
		break;
	case PEAT_FIELD_FLAGS:
		if (field_text__append_name(out, field, number))
			break;
		if (number)
			strbuf__hex(out, number & field_mask(field));
		else
			strbuf__char(out, '0');
		break;
	case PEAT_FIELD_DURATION:
		append_duration(out, number);
		break;
	case PEAT_FIELD_SIZE:
		append_size(out, number);
		break;
	case PEAT_FIELD_KADDR:
		kallsyms__append(out, number, style.symbols);
		break;
	case PEAT_FIELD_KSTACK:
		append_kernel_stack(out, field, number, style);
		break;
	case PEAT_FIELD_USTACK:
		append_user_stack(out, field, number, style);
		break;
	case PEAT_FIELD_ENUM:
	case PEAT_FIELD_ERRNO:
	case PEAT_FIELD_SIGNAL:
		if (field_text__append_name(out, field, number))
			break;
		/* fall through */
	default:
		if (field->is_signed)
			strbuf__signed(out, (int64_t)number);
		else
			strbuf__unsigned(out, number);
	}
}

/* ---- bytes ----------------------------------------------------------------------------------- */

/* Empty strings, blanks and quotes need quotes; `among` other values also brackets. */
static bool is_ambiguous(const char *text, size_t bytes, bool among)
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

static void append_maybe_quoted(struct strbuf *out, const char *text, size_t bytes, bool quoted)
{
	if (quoted)
		strbuf__char(out, '"');
	escape__text(out, text, bytes, quoted ? '"' : 0);
	if (quoted)
		strbuf__char(out, '"');
}

void field_text__append_string(struct strbuf *out, const char *text, size_t bytes)
{
	bool missing = bytes == 1 && *text == '-';

	append_maybe_quoted(out, text, bytes, missing || is_ambiguous(text, bytes, true));
}

/* Like arguments of a shell; quoted: each like field_text__append_string(). */
static void append_strings(struct strbuf *out, const char *text, uint32_t bytes, struct style style)
{
	if (style.quoted)
		strbuf__char(out, '[');
	for (uint32_t at = 0; at < bytes;) {
		size_t length = strnlen(text + at, bytes - at);

		if (at)
			strbuf__char(out, ' ');
		if (style.quoted)
			field_text__append_string(out, text + at, length);
		else
			append_maybe_quoted(out, text + at, length,
					    is_ambiguous(text + at, length, false));
		at += (uint32_t)length + 1;
	}
	if (style.quoted)
		strbuf__char(out, ']');
}

static void append_ipv4(struct strbuf *out, const unsigned char *at)
{
	for (uint32_t i = 0; i < 4; i++) {
		if (i)
			strbuf__char(out, '.');
		strbuf__unsigned(out, at[i]);
	}
}

/* An IPv4 address that is mapped, ::ffff:192.0.2.1, is printed as IPv4. */
static bool is_mapped(const void *at)
{
	static const unsigned char prefix[12] = { [10] = 0xff, [11] = 0xff };

	return !memcmp(at, prefix, sizeof(prefix));
}

static void append_ipv6(struct strbuf *out, const unsigned char *at)
{
	struct in6_addr address;
	char text[INET6_ADDRSTRLEN];

	if (is_mapped(at)) {
		append_ipv4(out, at + 12);
		return;
	}
	memcpy(&address, at, sizeof(address));
	if (inet_ntop(AF_INET6, &address, text, sizeof(text)))
		strbuf__text(out, text);
}

static void append_endpoint(struct strbuf *out, const unsigned char *at)
{
	bool has_brackets = !is_mapped(at);

	if (has_brackets)
		strbuf__char(out, '[');
	append_ipv6(out, at);
	strbuf__text(out, has_brackets ? "]:" : ":");
	strbuf__unsigned(out, (uint64_t)at[ENDPOINT_PORT_AT] << 8 | at[ENDPOINT_PORT_AT + 1]);
}

static void append_mac(struct strbuf *out, const unsigned char *at)
{
	for (uint32_t i = 0; i < 6; i++) {
		if (i)
			strbuf__char(out, ':');
		strbuf__hex_bytes(out, at + i, 1);
	}
}

static void append_chars(struct strbuf *out, const char *text, uint32_t bytes, struct style style)
{
	if (style.quoted)
		field_text__append_string(out, text, bytes);
	else
		escape__text(out, text, bytes, 0);
}

/* One string, or several as if the field were of the kind STRINGS. */
static void append_text(struct strbuf *out, const char *text, uint32_t bytes, struct style style)
{
	if (strnlen(text, bytes) < bytes)
		append_strings(out, text, bytes, style);
	else
		append_chars(out, text, bytes, style);
}

/* The addresses, as numbers; "[]" if their lengths do not fit. */
static void append_stacks(struct strbuf *out, const char *at, uint32_t count)
{
	struct peat_stacks head = { 0 };
	uint32_t bytes;
	uint64_t word;

	if (count >= sizeof(head))
		memcpy(&head, at, sizeof(head));
	head.kernel_bytes &= (unsigned short)~PEAT_STACKS_INTERRUPTED;
	bytes = (uint32_t)head.kernel_bytes + head.user_bytes;
	if (bytes + sizeof(head) > count)
		bytes = 0;
	strbuf__char(out, '[');
	for (uint32_t i = 0; i + sizeof(word) <= bytes; i += (uint32_t)sizeof(word)) {
		memcpy(&word, at + sizeof(head) + i, sizeof(word));
		if (i)
			strbuf__char(out, ' ');
		strbuf__hex(out, word);
	}
	strbuf__char(out, ']');
}

static void append_bytes_of_kind(struct strbuf *out, const struct peat_field *field, const void *at,
				 uint32_t count, struct style style)
{
	if (field->kind == PEAT_FIELD_STRINGS) {
		append_strings(out, at, count, style);
	} else if (field->kind == PEAT_FIELD_CHARS) {
		append_chars(out, at, count, style);
	} else if (field->kind == PEAT_FIELD_STACK) {
		append_stacks(out, at, count);
	} else if (field->kind == PEAT_FIELD_IPV4 && count == 4) {
		append_ipv4(out, at);
	} else if (field->kind == PEAT_FIELD_IPV6 && count == 16) {
		append_ipv6(out, at);
	} else if (field->kind == PEAT_FIELD_MAC && count == 6) {
		append_mac(out, at);
	} else if (field->kind == PEAT_FIELD_ENDPOINT && count == ENDPOINT_BYTES) {
		append_endpoint(out, at);
	} else {
		strbuf__hex_bytes(out, at, count);
	}
}

/* ---- structs and arrays ---------------------------------------------------------------------- */

static void append_members(struct strbuf *out, const struct peat_field *field, const void *at,
			   uint32_t count, struct style style)
{
	style.quoted = true;
	strbuf__char(out, '{');
	for (const struct peat_field *inner = field + 1; inner < field + field->span;
	     inner += inner->span) {
		if (inner > field + 1)
			strbuf__char(out, ' ');
		append_escaped_name(out, inner->name);
		if (*inner->name)
			strbuf__char(out, '=');
		append_value(out, inner, at, count, style);
	}
	strbuf__char(out, '}');
}

uint32_t field_text__elements(const struct peat_field *array, uint32_t bytes)
{
	uint32_t each = array->span > 1 ? array[1].bytes : 0, whole = each ? bytes / each : 0;

	if (!array->count || whole >= array->count)
		return array->count ? array->count : whole;
	return whole + (each && bytes % each);
}

static void append_array(struct strbuf *out, const struct peat_field *field, const char *at,
			 uint32_t count, struct style style)
{
	uint32_t elements = field_text__elements(field, count);

	style.quoted = true;
	strbuf__char(out, '[');
	for (uint32_t i = 0; i < elements; i++) {
		uint32_t offset = i * field[1].bytes;

		if (i)
			strbuf__char(out, ' ');
		append_value(out, field + 1, at + offset, count - offset, style);
	}
	strbuf__char(out, ']');
}

static void append_value(struct strbuf *out, const struct peat_field *field, const void *data,
			 uint32_t bytes, struct style style)
{
	uint32_t count;
	const void *at = fields__bytes(field, data, bytes, &count);
	uint64_t number;
	double value;

	if (!at)
		strbuf__char(out, '-');
	else if (field->kind == PEAT_FIELD_STRUCT || field->kind == PEAT_FIELD_UNION)
		append_members(out, field, at, count, style);
	else if (field->kind == PEAT_FIELD_ARRAY)
		append_array(out, field, at, count, style);
	else if (peat_field__number(field, data, bytes, &number))
		append_number_of_kind(out, field, number, style);
	else if (field->kind == PEAT_FIELD_FLOAT && field_text__float(field, data, bytes, &value))
		field_text__append_float(out, "%g", value);
	else if (field->kind == PEAT_FIELD_STRING)
		append_text(out, at, several_strings__bytes(field, data, bytes, at, count), style);
	else
		append_bytes_of_kind(out, field, at, count, style);
}

void field_text__append(struct strbuf *out, const struct peat_field *field, const void *data,
			uint32_t bytes, enum symbols symbols)
{
	append_value(out, field, data, bytes,
		     (struct style){ .frames_apart = true, .symbols = symbols });
}

void field_text__append_quoted(struct strbuf *out, const struct peat_field *field, const void *data,
			       uint32_t bytes, enum symbols symbols)
{
	append_value(out, field, data, bytes,
		     (struct style){ .quoted = true, .frames_apart = true, .symbols = symbols });
}

static void append_frames(struct strbuf *out, const struct peat_field *field, const char *name,
			  uint64_t number, enum symbols symbols)
{
	uint32_t count;
	int64_t id;
	uint64_t *addresses = field_text__stack(field, number, &id, &count);

	if (!count)
		return;
	strbuf__text(out, "\n" FIELD_TEXT_STACK_INDENT);
	append_escaped_name(out, name);
	strbuf__char(out, ':');
	for (uint32_t i = 0; i < count; i++) {
		strbuf__text(out, "\n" FIELD_TEXT_FRAME_INDENT);
		kallsyms__append(out, addresses[i], symbols);
	}
	free(addresses);
}

/* `name`: of the field, or of the array that it is an element of. */
static void append_frames_in(struct strbuf *out, const struct peat_field *field, const char *name,
			     const void *data, uint32_t bytes, enum symbols symbols)
{
	uint32_t count, elements;
	const char *at = fields__bytes(field, data, bytes, &count);
	uint64_t number;

	if (*field->name)
		name = field->name;
	if (at && fields__has_members(field)) {
		for (const struct peat_field *inner = field + 1; inner < field + field->span;
		     inner += inner->span)
			append_frames_in(out, inner, name, at, count, symbols);
	} else if (at && field->kind == PEAT_FIELD_ARRAY) {
		elements = field_text__elements(field, count);
		for (uint32_t i = 0; i < elements; i++)
			append_frames_in(out, field + 1, name, at + i * field[1].bytes,
					 count - i * field[1].bytes, symbols);
	} else if (field->kind == PEAT_FIELD_KSTACK &&
		   peat_field__number(field, data, bytes, &number)) {
		append_frames(out, field, name, number, symbols);
	}
}

void field_text__append_frames(struct strbuf *out, const struct peat_schema *schema,
			       const void *data, uint32_t bytes, enum symbols symbols)
{
	if (schema->stacks_fd < 0)
		return;
	for (const struct peat_field *field = schema->fields;
	     field < schema->fields + schema->count; field += field->span)
		append_frames_in(out, field, "", data, bytes, symbols);
}

void field_text__append_appended(struct strbuf *out, const struct peat_schema *schema,
				 const void *data, uint32_t bytes)
{
	const char *name = schema->appended.name;
	uint32_t count, shown;

	if (!appended__has(schema, bytes))
		return;
	count = bytes - schema->bytes;
	shown = count < APPENDED_SHOWN ? count : APPENDED_SHOWN;
	strbuf__char(out, ' ');
	strbuf__text(out, name);
	strbuf__text(out, "_bytes=");
	strbuf__unsigned(out, count);
	strbuf__char(out, ' ');
	strbuf__text(out, name);
	strbuf__char(out, '=');
	strbuf__hex_bytes(out, (const char *)data + schema->bytes, shown);
	if (shown < count)
		strbuf__text(out, "...");
}

size_t peat_field__text(const struct peat_field *field, const void *data, uint32_t bytes,
			char *text, size_t room)
{
	struct strbuf out = { 0 };
	size_t count;

	append_value(&out, field, bytes ? data : "", bytes,
		     (struct style){ .symbols = SYMBOLS_ALL });
	count = out.count;
	if (room) {
		size_t fitting = count < room ? count : room - 1;

		memcpy(text, out.bytes ? out.bytes : "", fitting);
		text[fitting] = 0;
	}
	strbuf__free(&out);
	return count;
}
