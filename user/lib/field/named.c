// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* field/named.c: numbers that have names. */
#include <errno.h>
#include <signal.h>
#include <string.h>

#include "base/escape.h"
#include "field/field_text.h"
#include "field/field_value.h"
#include "field/fields.h"

/* glibc's first real-time signal; the kernel's begin two lower, which glibc reserves. */
#define REALTIME_FIRST 34
#define REALTIME_LAST  64

#define ERRNO_LAST 4095

/* ---- names ----------------------------------------------------------------------------------- */

static void append_escaped(struct strbuf *out, const char *name)
{
	escape__text(out, name, strlen(name), 0);
}

static uint64_t field_mask(const struct peat_field *field)
{
	uint32_t bits = field->bits ? field->bits : field->bytes * 8;

	return bits >= 64 ? UINT64_MAX : (1ULL << bits) - 1;
}

const char *field_text__find_name(const struct peat_field *field, uint64_t value)
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
		append_escaped(out, field->names[matches[i]].name);
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

	if (result >= 0 || result < -ERRNO_LAST)
		return NULL;
	name = strerrorname_np((int)-result);
	return name ? name : kernel_errno_name(-result);
}

static bool append_signal_name(struct strbuf *out, const struct peat_field *field, uint64_t value)
{
	const char *name;

	(void)field;
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

static bool append_errno_name(struct strbuf *out, const struct peat_field *field, uint64_t number)
{
	const char *name = field_text__errno_name((int64_t)number);

	(void)field;
	strbuf__text(out, name ? name : "");
	return name;
}

static bool append_enum_name(struct strbuf *out, const struct peat_field *field, uint64_t number)
{
	const char *name = field_text__find_name(field, number);

	if (name)
		append_escaped(out, name);
	return name;
}

static bool append_flag_names(struct strbuf *out, const struct peat_field *field, uint64_t number)
{
	return number ? append_set_flags(out, field, number) : append_enum_name(out, field, 0);
}

static void append_flags(struct strbuf *out, const struct peat_field *field, uint64_t number,
			 struct field_style style)
{
	(void)style;
	if (append_flag_names(out, field, number))
		return;
	if (number)
		strbuf__hex(out, number & field_mask(field));
	else
		strbuf__char(out, '0');
}

static bool append_truth(struct strbuf *out, const struct peat_field *field, uint64_t number)
{
	(void)field;
	strbuf__text(out, number ? "true" : "false");
	return true;
}

/* ---- parsing --------------------------------------------------------------------------------- */

static int parse_truth(const struct peat_field *field, const char *text,
		       struct field_number *number)
{
	static const char *const words[] = { "0", "1", "false", "true", "no", "yes", "off", "on" };

	(void)field;
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		*number = (struct field_number){ .magnitude = i % 2 };
		if (!strcmp(text, words[i]))
			return 0;
	}
	return -EINVAL;
}

static int find_name(const struct peat_field *field, const char *name, size_t bytes,
		     uint64_t *value)
{
	for (uint32_t i = 0; i < field->name_count; i++)
		if (!strncmp(field->names[i].name, name, bytes) && !field->names[i].name[bytes]) {
			*value = field->names[i].value;
			return 0;
		}
	return -EINVAL;
}

/* A name, flags joined by |, or a number. */
static int parse_names(const struct peat_field *field, const char *text,
		       struct field_number *number)
{
	bool joins = field_type__of(field)->joins_names;
	uint64_t value, all = 0;
	int err = 0;

	if (field_value__parse_number(field, text, number) != -EINVAL)
		return field_value__parse_number(field, text, number);
	for (size_t bytes; !err && *text; text += bytes + (text[bytes] == '|')) {
		bytes = strcspn(text, joins ? "|" : "");
		err = find_name(field, text, bytes, &value);
		all |= err ? 0 : value;
		if (!err && text[bytes] && !text[bytes + 1])
			err = -EINVAL;
	}
	number->negative = field->is_signed && (int64_t)all < 0;
	number->magnitude = number->negative ? -all : all;
	return err;
}

static int64_t errno_by_name(const char *name)
{
	static const struct {
		const char *name;
		int number;
	} others[] = { { "EWOULDBLOCK", EWOULDBLOCK },
		       { "EDEADLOCK", EDEADLOCK },
		       { "ENOTSUP", ENOTSUP },
		       { "EOPNOTSUPP", EOPNOTSUPP } };

	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (!strcmp(name, others[i].name))
			return others[i].number;
	for (int number = 1; number <= ERRNO_LAST; number++) {
		const char *known = field_text__errno_name(-number);

		if (known && !strcmp(name, known))
			return number;
	}
	return 0;
}

static int parse_errno(const struct peat_field *field, const char *text,
		       struct field_number *number)
{
	int err = field_value__parse_number(field, text, number);

	if (err != -EINVAL)
		return err;
	number->negative = true;
	number->magnitude = (uint64_t)errno_by_name(text + (*text == '-'));
	return number->magnitude ? 0 : -EINVAL;
}

static int parse_signal(const struct peat_field *field, const char *text,
			struct field_number *number)
{
	int err = field_value__parse_number(field, text, number);

	number->negative &= err != -EINVAL;
	for (uint64_t i = 1; err == -EINVAL && i <= REALTIME_LAST; i++) {
		struct strbuf name = { 0 };

		if (append_signal_name(&name, field, i) && name.count == strlen(text) &&
		    !memcmp(name.bytes, text, name.count)) {
			number->magnitude = i;
			err = 0;
		}
		strbuf__free(&name);
	}
	return err;
}

/* ---- widths ---------------------------------------------------------------------------------- */

static uint32_t measure_names(const struct peat_field *field)
{
	size_t longest = 0;

	for (uint32_t i = 0; i < field->name_count; i++) {
		size_t bytes = strlen(field->names[i].name);

		longest = bytes > longest ? bytes : longest;
	}
	return longest < FIELD_TEXT_WIDTH ? (uint32_t)longest : FIELD_TEXT_WIDTH;
}

/* ---- rows ------------------------------------------------------------------------------------ */

const struct field_type field_type__bool = {
	.kind = PEAT_FIELD_BOOL,
	.tag = "bool",
	.word = "true or false",
	.form = "true or false",
	.class = PEAT_CLASS_NAMED,
	.fits = FIELD_ANY_INTEGER,
	.fits_bits = true,
	.is_truth = true,
	.sum = FIELD_SUM_WEIGHT,
	.width = 5,
	.name = append_truth,
	.parse = parse_truth,
	.format = FIELD_FORMAT_TRUTH,
};

const struct field_type field_type__enum = {
	.kind = PEAT_FIELD_ENUM,
	.word = "name",
	.class = PEAT_CLASS_NAMED,
	.has_own_names = true,
	.measure = measure_names,
	.name = append_enum_name,
	.parse = parse_names,
	.format = FIELD_FORMAT_NAMES,
};

const struct field_type field_type__flags = {
	.kind = PEAT_FIELD_FLAGS,
	.tag = "flags",
	.word = "flags",
	.class = PEAT_CLASS_NAMED,
	.fits = FIELD_ANY_INTEGER,
	.fits_bits = true,
	.has_own_names = true,
	.joins_names = true,
	.measure = measure_names,
	.name = append_flag_names,
	.number = append_flags,
	.parse = parse_names,
	.format = FIELD_FORMAT_FLAGS,
};

const struct field_type field_type__errno = {
	.kind = PEAT_FIELD_ERRNO,
	.tag = "errno",
	.word = "number or error",
	.form = "a number or the name of an errno",
	.class = PEAT_CLASS_NAMED,
	.fits = FIELD_ANY_INTEGER,
	.fits_bits = true,
	.sign = FIELD_SIGN_ALWAYS,
	.is_error_below_0 = true,
	.sum = FIELD_SUM_WEIGHT,
	.is_right = true,
	.width = 7,
	.name = append_errno_name,
	.parse = parse_errno,
	.format = FIELD_FORMAT_ERRNOS,
};

const struct field_type field_type__signal = {
	.kind = PEAT_FIELD_SIGNAL,
	.tag = "signal",
	.word = "signal",
	.form = "a number or the name of a signal",
	.class = PEAT_CLASS_NAMED,
	.fits = FIELD_ANY_INTEGER,
	.fits_bits = true,
	.sign = FIELD_SIGN_KEPT,
	.width = 7,
	.name = append_signal_name,
	.parse = parse_signal,
	.format = FIELD_FORMAT_SIGNALS,
};
