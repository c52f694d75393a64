// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* parse_unit.c: times, sizes and counts from the command line. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/options/parse_unit.h"

struct unit {
	const char *name;
	double factor;
};

/* A decimal fraction and a unit.  Signs, exponents and hex, which strtod() accepts, are invalid. */
static bool parse_scaled(const char *text, const struct unit *units, uint64_t *value)
{
	char *end;
	double number;

	number = strtod(text, &end);
	if (!isdigit((unsigned char)text[*text == '.']) ||
	    strspn(text, "0123456789.") != (size_t)(end - text))
		return false;
	for (; units->name; units++) {
		if (strcasecmp(end, units->name))
			continue;
		number *= units->factor;
		if (number >= 9.2e18)
			return false;
		*value = (uint64_t)(number + 0.5);
		return true;
	}
	return false;
}

bool parse_unit__time_ms(const char *text, uint64_t bare_ms, uint64_t *ms)
{
	const struct unit units[] = {
		{ "", (double)bare_ms }, { "ms", 1 },	       { "s", 1000 },
		{ "m", 60 * 1000 },	 { "h", 3600 * 1000 }, { NULL, 0 },
	};

	return parse_scaled(text, units, ms);
}

/* The unit is required, except for 0. */
static bool parse_time_ns(const char *text, uint64_t *ns)
{
	static const struct unit units[] = {
		{ "ns", 1 },   { "us", 1e3 },	{ "ms", 1e6 }, { "s", 1e9 },
		{ "m", 6e10 }, { "h", 3.6e12 }, { NULL, 0 },
	};

	if (!strcmp(text, "0"))
		return parse_scaled("0s", units, ns);
	return parse_scaled(text, units, ns);
}

/* A double has not enough digits. */
bool parse_unit__seconds_ns(const char *text, uint64_t *ns)
{
	static const char digits[] = "0123456789";
	size_t whole = strspn(text, digits), fraction = 0;
	char nine[] = "000000000";
	uint64_t seconds;

	if (text[whole] == '.')
		fraction = strspn(text + whole + 1, digits);
	if (!whole || fraction > 9 || text[whole + (text[whole] == '.') + fraction])
		return false;
	errno = 0;
	seconds = strtoull(text, NULL, 10);
	if (errno || seconds > UINT64_MAX / 1000000000 - 1)
		return false;
	if (fraction)
		memcpy(nine, text + whole + 1, fraction);
	*ns = seconds * 1000000000 + strtoull(nine, NULL, 10);
	return true;
}

bool parse_unit__bytes(const char *text, uint64_t *bytes)
{
	static const struct unit units[] = {
		{ "", 1 },	   { "b", 1 },	     { "k", 0x1p10 },	{ "kb", 0x1p10 },
		{ "kib", 0x1p10 }, { "m", 0x1p20 },  { "mb", 0x1p20 },	{ "mib", 0x1p20 },
		{ "g", 0x1p30 },   { "gb", 0x1p30 }, { "gib", 0x1p30 }, { NULL, 0 },
	};

	return parse_scaled(text, units, bytes);
}

/* Times end in s.  Minutes are no unit here: "m" is a size. */
bool parse_unit__value(const char *text, int64_t *value)
{
	const char *digits = *text == '-' ? text + 1 : text;
	size_t count = strlen(digits);
	uint64_t number;
	bool is_valid = count && digits[count - 1] == 's' ? parse_time_ns(digits, &number)
							  : parse_unit__bytes(digits, &number);

	if (!is_valid)
		return false;
	*value = digits > text ? -(int64_t)number : (int64_t)number;
	return true;
}

bool parse_unit__count(const char *text, uint64_t max, uint64_t *count)
{
	unsigned long long value;
	char *end;

	if (!isdigit((unsigned char)*text))
		return false;
	errno = 0;
	value = strtoull(text, &end, 10);
	if (errno || *end || value > max)
		return false;
	*count = value;
	return true;
}
