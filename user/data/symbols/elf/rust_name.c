// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * symbols/elf/rust_name.c: checks mangled names of Rust before libiberty reads them.
 *
 * The functions are named after the symbols of the grammar.  Each returns false if the text at
 * `name->at` is something else.
 */
#include <stdint.h>
#include <string.h>

#include "symbols/elf/budget.h"
#include "symbols/elf/rust_name.h"

#define DEPTH_MAX     200
#define LIFETIMES_MAX 255

struct rust_name {
	const char *start, *at; /* start: after "_R"; references count from it */
	unsigned int depth;
	/* A bit for each place where a whole path, type or constant begins. */
	uint8_t begins[BUDGET_NAME_BYTES / 8];
};

static bool parse_path(struct rust_name *name);
static bool parse_type(struct rust_name *name);
static bool parse_const(struct rust_name *name);

static bool accept(struct rust_name *name, char c)
{
	if (*name->at != c)
		return false;
	name->at++;
	return true;
}

/* Zero or more of them, up to "E". */
static bool parse_list(struct rust_name *name, bool (*parse)(struct rust_name *name))
{
	while (!accept(name, 'E'))
		if (!parse(name))
			return false;
	return true;
}

static int digit_62(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'Z' ? c - 'A' + 36 : -1;
}

/* "_" is 0, "0_" is 1. */
static bool parse_base_62(struct rust_name *name, uint64_t *number)
{
	*number = 0;
	if (accept(name, '_'))
		return true;
	for (; digit_62(*name->at) >= 0; name->at++)
		if (__builtin_mul_overflow(*number, 62, number) ||
		    __builtin_add_overflow(*number, digit_62(*name->at), number))
			return false;
	return accept(name, '_') && !__builtin_add_overflow(*number, 1, number);
}

/* The place where a part begins; NULL: none does, or it is too deep. */
static const char *enter(struct rust_name *name)
{
	if (!*name->at || ++name->depth >= DEPTH_MAX)
		return NULL;
	return name->at++;
}

/* Later parts may refer to a whole part. */
static bool leave(struct rust_name *name, const char *begin, bool is_valid)
{
	size_t offset = (size_t)(begin - name->start);

	name->depth--;
	if (is_valid)
		name->begins[offset / 8] |= (uint8_t)(1 << offset % 8);
	return is_valid;
}

/* After "B": only whole earlier parts, so that there is no circle, and no other text is read as a
 * part.
 */
static bool parse_reference(struct rust_name *name)
{
	uint64_t offset;

	return parse_base_62(name, &offset) && offset < BUDGET_NAME_BYTES &&
	       name->begins[offset / 8] >> offset % 8 & 1;
}

static bool parse_disambiguator(struct rust_name *name)
{
	uint64_t number;

	return !accept(name, 's') || parse_base_62(name, &number);
}

static bool parse_plain_identifier(struct rust_name *name)
{
	size_t bytes = 0;

	accept(name, 'u');
	if (*name->at < '0' || *name->at > '9')
		return false;
	if (!accept(name, '0'))
		for (; *name->at >= '0' && *name->at <= '9' && bytes < BUDGET_NAME_BYTES;
		     name->at++)
			bytes = bytes * 10 + (size_t)(*name->at - '0');
	accept(name, '_');
	if (strnlen(name->at, bytes) < bytes)
		return false;
	name->at += bytes;
	return true;
}

static bool parse_identifier(struct rust_name *name)
{
	return parse_disambiguator(name) && parse_plain_identifier(name);
}

static bool parse_lifetime(struct rust_name *name)
{
	uint64_t number;

	return parse_base_62(name, &number);
}

static bool parse_generic_argument(struct rust_name *name)
{
	if (accept(name, 'L'))
		return parse_lifetime(name);
	return accept(name, 'K') ? parse_const(name) : parse_type(name);
}

static bool parse_impl_path(struct rust_name *name)
{
	return parse_disambiguator(name) && parse_path(name);
}

static bool parse_nested(struct rust_name *name)
{
	if (digit_62(*name->at) < 10)
		return false;
	name->at++;
	return parse_path(name) && parse_identifier(name);
}

static bool parse_path_of(struct rust_name *name, char tag)
{
	switch (tag) {
	case 'C':
		return parse_identifier(name);
	case 'N':
		return parse_nested(name);
	case 'M':
		return parse_impl_path(name) && parse_type(name);
	case 'X':
		return parse_impl_path(name) && parse_type(name) && parse_path(name);
	case 'Y':
		return parse_type(name) && parse_path(name);
	case 'I':
		return parse_path(name) && parse_list(name, parse_generic_argument);
	case 'B':
		return parse_reference(name);
	default:
		return false;
	}
}

static bool parse_path(struct rust_name *name)
{
	const char *begin = enter(name);

	return begin && leave(name, begin, parse_path_of(name, *begin));
}

static bool parse_binder(struct rust_name *name)
{
	uint64_t number;

	return !accept(name, 'G') || (parse_base_62(name, &number) && number < LIFETIMES_MAX);
}

static bool parse_signature(struct rust_name *name)
{
	if (!parse_binder(name))
		return false;
	accept(name, 'U');
	if (accept(name, 'K') && !accept(name, 'C') && !parse_plain_identifier(name))
		return false;
	return parse_list(name, parse_type) && parse_type(name);
}

static bool parse_trait(struct rust_name *name)
{
	if (!parse_path(name))
		return false;
	while (accept(name, 'p'))
		if (!parse_plain_identifier(name) || !parse_type(name))
			return false;
	return true;
}

static bool parse_dynamic(struct rust_name *name)
{
	return parse_binder(name) && parse_list(name, parse_trait) && accept(name, 'L') &&
	       parse_lifetime(name);
}

static bool parse_type_of(struct rust_name *name, char tag)
{
	switch (tag) {
	case 'A':
		return parse_type(name) && parse_const(name);
	case 'S':
	case 'P':
	case 'O':
		return parse_type(name);
	case 'R':
	case 'Q':
		return (!accept(name, 'L') || parse_lifetime(name)) && parse_type(name);
	case 'T':
		return parse_list(name, parse_type);
	case 'F':
		return parse_signature(name);
	case 'D':
		return parse_dynamic(name);
	default:
		return (tag >= 'a' && tag <= 'z') || parse_path_of(name, tag);
	}
}

static bool parse_type(struct rust_name *name)
{
	const char *begin = enter(name);

	return begin && leave(name, begin, parse_type_of(name, *begin));
}

/* A number in hexadecimal, after its type. */
static bool parse_const_of(struct rust_name *name, char tag)
{
	if (tag == 'B')
		return parse_reference(name);
	if (tag == 'p')
		return true;
	if (tag < 'a' || tag > 'z')
		return false;
	accept(name, 'n');
	name->at += strspn(name->at, "0123456789abcdef");
	return accept(name, '_');
}

static bool parse_const(struct rust_name *name)
{
	const char *begin = enter(name);

	return begin && leave(name, begin, parse_const_of(name, *begin));
}

bool rust_name__is_valid(const char *mangled)
{
	struct rust_name name = { .start = mangled + 2, .at = mangled + 2 };

	if (strncmp(mangled, "_R", 2) != 0 ||
	    strnlen(mangled, BUDGET_NAME_BYTES) == BUDGET_NAME_BYTES)
		return false;
	if (!parse_path(&name))
		return false;
	if (*name.at && *name.at != '.' && !parse_path(&name))
		return false;
	return !*name.at || *name.at == '.';
}
