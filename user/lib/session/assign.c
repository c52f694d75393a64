// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session/assign.c: parses text by the type of a variable and writes the value. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <arpa/inet.h>

#include "session/assign.h"
#include "base/internal.h"

#define LIST_BYTES 400

/* The field to write, and the address of the struct, array or variable that contains it. */
struct target {
	const struct assignment *assignment;
	struct peat_field field;
	const struct peat_field *inner; /* the field's own members or elements */
	unsigned char *base;
};

void assign__append_name(char *list, size_t room, const char *name)
{
	size_t used = strlen(list), bytes = strlen(name);

	if (used + bytes + sizeof(", , ...") <= room) {
		strcat(list, used ? ", " : "");
		strcat(list, name);
	} else if (used < 3 || strcmp(list + used - 3, "...")) {
		strcat(list, ", ...");
	}
}

/* ---- paths ----------------------------------------------------------------------------------- */

static void enter(struct target *target, const struct peat_field *field, unsigned char *base)
{
	target->field = *field;
	target->inner = field + 1;
	target->base = base;
}

static int enter_member(struct target *target, const char *name, size_t bytes)
{
	const struct peat_field *member = target->inner;
	const struct peat_field *end = member + target->field.span - 1;
	char list[LIST_BYTES] = "";

	if (target->field.kind != PEAT_FIELD_STRUCT && target->field.kind != PEAT_FIELD_UNION) {
		log__error("%s: '%s' is not a struct", target->assignment->name,
			   target->field.name);
		return -ENOENT;
	}
	for (; member < end; member += member->span) {
		if (strncmp(member->name, name, bytes) || member->name[bytes]) {
			assign__append_name(list, sizeof(list), member->name);
			continue;
		}
		enter(target, member, target->base + target->field.offset);
		return 0;
	}
	log__error("%s: no member '%.*s': the members are %s", target->assignment->name, (int)bytes,
		   name, list);
	return -ENOENT;
}

static int enter_element(struct target *target, unsigned long index)
{
	static const struct peat_field byte = { .name = "", .span = 1, .bytes = 1 };
	bool is_array = target->field.kind == PEAT_FIELD_ARRAY;
	bool is_bytes = target->field.kind == PEAT_FIELD_BYTES;
	uint32_t count = is_array ? target->field.count : target->field.bytes;
	const struct peat_field *element = is_array ? target->inner : &byte;

	if (!is_bytes && (!is_array || target->field.span < 2)) {
		log__error("%s: '%s' is not an array", target->assignment->name,
			   target->field.name);
		return -ENOENT;
	}
	if (index >= count) {
		log__error("%s: it has %u elements, counted from 0", target->assignment->name,
			   count);
		return -ENOENT;
	}
	enter(target, element,
	      target->base + target->field.offset + (size_t)index * element->bytes);
	return 0;
}

static int enter_path(struct target *target, const char *path)
{
	int err = 0;

	while (!err && *path) {
		size_t bytes = strcspn(path + 1, ".[");
		char *end;
		unsigned long index;

		if (*path == '.') {
			err = enter_member(target, path + 1, bytes);
			path += bytes + 1;
			continue;
		}
		index = strtoul(path + 1, &end, 10);
		if (!isdigit((unsigned char)path[1]) || *end != ']' ||
		    (end[1] && end[1] != '.' && end[1] != '[')) {
			log__error("%s: not a member such as .pid or an element such as [2]",
				   target->assignment->name);
			return -ENOENT;
		}
		err = enter_element(target, index);
		path = end + 1;
	}
	return err;
}

/* ---- numbers --------------------------------------------------------------------------------- */

struct number {
	uint64_t magnitude;
	bool negative;
};

/* Decimal, or hexadecimal after 0x, without a unit. */
static int parse_number(const char *text, struct number *number)
{
	char *end;
	int base;

	number->negative = *text == '-';
	text += *text == '-' || *text == '+';
	base = text[0] == '0' && (text[1] == 'x' || text[1] == 'X') ? 16 : 10;
	if (!isdigit((unsigned char)*text))
		return -EINVAL;
	errno = 0;
	number->magnitude = strtoull(text, &end, base);
	if (*end)
		return -EINVAL;
	return errno ? -ERANGE : 0;
}

struct unit {
	const char *name;
	uint64_t factor;
};

static const struct unit times[] = {
	{ "ns", 1 },	      { "us", 1000 },	      { "ms", 1000000 }, { "s", 1000000000 },
	{ "m", 60000000000 }, { "h", 3600000000000 }, { NULL, 0 },
};

static const struct unit sizes[] = {
	{ "", 1 },
	{ "b", 1 },
	{ "k", 1ULL << 10 },
	{ "kb", 1ULL << 10 },
	{ "kib", 1ULL << 10 },
	{ "m", 1ULL << 20 },
	{ "mb", 1ULL << 20 },
	{ "mib", 1ULL << 20 },
	{ "g", 1ULL << 30 },
	{ "gb", 1ULL << 30 },
	{ "gib", 1ULL << 30 },
	{ NULL, 0 },
};

/* The digits after the point as a part of `factor`: exact as far as the factor has digits. */
static uint64_t fraction(const char *digits, size_t count, uint64_t factor)
{
	uint64_t value = 0, rest = factor;

	for (size_t i = 0; i < count && rest; i++) {
		value += (uint64_t)(digits[i] - '0') * rest / 10;
		rest /= 10;
	}
	return value;
}

static int parse_scaled(const char *text, const struct unit *unit, struct number *number)
{
	char *end;
	uint64_t whole, part;
	size_t digits;

	*number = (struct number){ 0 };
	if (!strcmp(text, "0"))
		return 0;
	if (!isdigit((unsigned char)*text))
		return -EINVAL;
	errno = 0;
	whole = strtoull(text, &end, 10);
	text = end + (*end == '.');
	digits = *end == '.' ? strspn(text, "0123456789") : 0;
	while (unit->name && strcasecmp(text + digits, unit->name))
		unit++;
	if (!unit->name || (*end == '.' && !digits))
		return -EINVAL;
	part = fraction(text, digits, unit->factor);
	if (errno || __builtin_mul_overflow(whole, unit->factor, &whole) ||
	    __builtin_add_overflow(whole, part, &number->magnitude))
		return -ERANGE;
	return 0;
}

static int parse_bool(const char *text, struct number *number)
{
	static const char *const words[] = { "0", "1", "false", "true", "no", "yes", "off", "on" };

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		*number = (struct number){ .magnitude = i % 2 };
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
static int parse_names(const struct peat_field *field, const char *text, struct number *number)
{
	uint64_t value, all = 0;
	int err = 0;

	if (parse_number(text, number) != -EINVAL)
		return parse_number(text, number);
	for (size_t bytes; !err && *text; text += bytes + (text[bytes] == '|')) {
		bytes = strcspn(text, field->kind == PEAT_FIELD_FLAGS ? "|" : "");
		err = find_name(field, text, bytes, &value);
		all |= err ? 0 : value;
		if (!err && text[bytes] && !text[bytes + 1])
			err = -EINVAL;
	}
	number->negative = field->is_signed && (int64_t)all < 0;
	number->magnitude = number->negative ? -all : all;
	return err;
}

/* -EOPNOTSUPP: fields of this kind cannot be set. */
static int parse_value(const struct peat_field *field, const char *text, struct number *number)
{
	if (!*text)
		return -EINVAL;
	switch (field->kind) {
	case PEAT_FIELD_BOOL:
		return parse_bool(text, number);
	case PEAT_FIELD_ENUM:
	case PEAT_FIELD_FLAGS:
		return parse_names(field, text, number);
	case PEAT_FIELD_DURATION:
		return parse_scaled(text, times, number);
	case PEAT_FIELD_SIZE:
		return parse_scaled(text, sizes, number);
	case PEAT_FIELD_UNSIGNED:
	case PEAT_FIELD_SIGNED:
	case PEAT_FIELD_HEX:
	case PEAT_FIELD_PORT:
	case PEAT_FIELD_ERRNO:
	case PEAT_FIELD_SIGNAL:
	case PEAT_FIELD_KADDR:
	case PEAT_FIELD_KSTACK:
		return parse_number(text, number);
	default:
		return -EOPNOTSUPP;
	}
}

static bool fits(const struct number *number, uint32_t bits, bool is_signed)
{
	uint64_t largest = is_signed ? UINT64_MAX >> (65 - bits) : UINT64_MAX >> (64 - bits);

	if (!number->negative)
		return number->magnitude <= largest;
	return is_signed ? number->magnitude <= largest + 1 : !number->magnitude;
}

typedef uint16_t __attribute__((may_alias)) aliased_u16;
typedef uint32_t __attribute__((may_alias)) aliased_u32;
typedef uint64_t __attribute__((may_alias)) aliased_u64;

#define WRITE_AT_ONCE(at, bytes, type) (*(volatile type *)(at) = *(const type *)(bytes))

/* With one store if the number is aligned: after the load, programs read it at the same time. */
static void write_number(unsigned char *at, const unsigned char *bytes, uint32_t count)
{
	bool is_aligned = !((uintptr_t)at % count);

	if (is_aligned && count == sizeof(uint64_t))
		WRITE_AT_ONCE(at, bytes, aliased_u64);
	else if (is_aligned && count == sizeof(uint32_t))
		WRITE_AT_ONCE(at, bytes, aliased_u32);
	else if (is_aligned && count == sizeof(uint16_t))
		WRITE_AT_ONCE(at, bytes, aliased_u16);
	else
		memcpy(at, bytes, count);
}

/* Writes in the field's byte order; neighbours of a bit-field keep their bits. */
static void store(const struct target *target, uint64_t value)
{
	const struct peat_field *field = &target->field;
	unsigned char *at = target->base + field->offset;
	bool big = field->big_endian || __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	uint32_t bits = field->bits ? field->bits : field->bytes * 8;
	uint64_t mask = UINT64_MAX >> (64 - bits) << field->bit_offset;
	unsigned char bytes[sizeof(value)] __attribute__((aligned(8)));

	value = value << field->bit_offset & mask;
	memcpy(bytes, at, field->bytes);
	for (uint32_t i = 0; i < field->bytes; i++) {
		unsigned char *byte = bytes + (big ? field->bytes - 1 - i : i);

		*byte = (unsigned char)((*byte & ~(mask >> 8 * i)) | (value >> 8 * i & 0xff));
	}
	write_number(at, bytes, field->bytes);
}

/* ---- messages -------------------------------------------------------------------------------- */

static int log_bad_form(const struct assignment *assignment, const struct peat_field *field)
{
	static const char *const forms[] = {
		[PEAT_FIELD_BOOL] = "true or false",
		[PEAT_FIELD_DURATION] = "a time with its unit, such as 5ms or 20us",
		[PEAT_FIELD_SIZE] = "an amount such as 4096 or 64K",
		[PEAT_FIELD_IPV4] = "an IPv4 address",
		[PEAT_FIELD_IPV6] = "an IPv6 address",
	};
	const char *form = field->kind < sizeof(forms) / sizeof(*forms) ? forms[field->kind] : NULL;
	char list[LIST_BYTES] = "";

	for (uint32_t i = 0; i < field->name_count; i++)
		assign__append_name(list, sizeof(list), field->names[i].name);
	if (*list)
		log__error("%s=%s: the value is neither a number nor %s: %s", assignment->name,
			   assignment->text,
			   field->kind == PEAT_FIELD_FLAGS ? "some of (joined by |)" : "one of",
			   list);
	else
		log__error("%s=%s: the value is not %s", assignment->name, assignment->text,
			   form ? form : "a number");
	return -EINVAL;
}

static int log_bad_range(const struct assignment *assignment, uint32_t bits, bool is_signed)
{
	uint64_t largest = is_signed ? UINT64_MAX >> (65 - bits) : UINT64_MAX >> (64 - bits);

	log__error("%s=%s does not fit: its range is %s%llu to %llu", assignment->name,
		   assignment->text, is_signed ? "-" : "",
		   is_signed ? (unsigned long long)largest + 1 : 0ULL, (unsigned long long)largest);
	return -ERANGE;
}

static int log_bad_kind(const struct assignment *assignment, const struct peat_field *field)
{
	const char *what = "cannot be set";

	if (field->kind == PEAT_FIELD_FLOAT)
		what = "is a floating-point number, which cannot be set";
	else if (field->kind == PEAT_FIELD_STRUCT || field->kind == PEAT_FIELD_UNION)
		what = "is a struct: set its members, NAME.MEMBER=VALUE";
	else if (field->kind == PEAT_FIELD_ARRAY || field->kind == PEAT_FIELD_BYTES)
		what = "is an array: set its elements, NAME[NUMBER]=VALUE";
	log__error("%s %s", assignment->name, what);
	return -EINVAL;
}

/* ---- all kinds ------------------------------------------------------------------------------- */

static bool is_signed(const struct peat_field *field)
{
	return field->kind == PEAT_FIELD_SIGNED || field->is_signed;
}

static int set_number(const struct target *target)
{
	const struct assignment *assignment = target->assignment;
	const struct peat_field *field = &target->field;
	uint32_t bits = field->bits ? field->bits : field->bytes * 8;
	struct number number;
	int err = parse_value(field, assignment->text, &number);

	if (err == -EINVAL)
		return log_bad_form(assignment, field);
	if (err == -EOPNOTSUPP)
		return log_bad_kind(assignment, field);
	if (err || !fits(&number, bits, is_signed(field)))
		return log_bad_range(assignment, bits, is_signed(field));
	store(target, number.negative ? -number.magnitude : number.magnitude);
	return 0;
}

static int set_string(const struct target *target)
{
	const struct peat_field *field = &target->field;
	size_t bytes = strlen(target->assignment->text);

	if (bytes >= field->bytes) {
		log__error("the text for %s is too long: at most %u bytes",
			   target->assignment->name, field->bytes ? field->bytes - 1 : 0);
		return -ERANGE;
	}
	memset(target->base + field->offset, 0, field->bytes);
	memcpy(target->base + field->offset, target->assignment->text, bytes);
	return 0;
}

static int set_address(const struct target *target, int family)
{
	unsigned char address[16];

	if (inet_pton(family, target->assignment->text, address) != 1)
		return log_bad_form(target->assignment, &target->field);
	memcpy(target->base + target->field.offset, address, target->field.bytes);
	return 0;
}

static bool is_inside(const struct target *target)
{
	size_t start = (size_t)(target->base - target->assignment->memory) + target->field.offset;

	return start <= target->assignment->bytes &&
	       target->field.bytes <= target->assignment->bytes - start;
}

static int find_target(struct target *target, const struct peat_field *field, const char *path)
{
	const struct assignment *assignment = target->assignment;
	int err;

	enter(target, field, assignment->memory);
	err = enter_path(target, path);
	if (err || is_inside(target))
		return err;
	log__error("%s: its type in the BTF does not fit into its memory", assignment->name);
	return -EINVAL;
}

const unsigned char *assign__find(const struct assignment *assignment,
				  const struct peat_field **field, const char *path)
{
	struct target target = { .assignment = assignment };
	int err = find_target(&target, *field, path);

	if (err)
		return fail_null(err);
	*field = target.inner - 1;
	return target.base;
}

int assign__text(const struct assignment *assignment, const struct peat_field *field,
		 const char *path)
{
	struct target target = { .assignment = assignment };
	int err = find_target(&target, field, path);

	if (err)
		return err;
	switch (target.field.kind) {
	case PEAT_FIELD_STRING:
		return set_string(&target);
	case PEAT_FIELD_IPV4:
		return set_address(&target, AF_INET);
	case PEAT_FIELD_IPV6:
		return set_address(&target, AF_INET6);
	default:
		return set_number(&target);
	}
}
