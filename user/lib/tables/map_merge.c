// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* tables/map_merge.c: sums over CPUs, and differences, of the values of maps. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/log.h"
#include "field/fields.h"
#include "tables/map_merge.h"

#define PARTS_MAX 65536

/* ---- the plan -------------------------------------------------------------------------------- */

static int add_merge_part(struct map_merge_plan *plan, const struct merge_part *part)
{
	if (plan->count == PARTS_MAX) {
		log__error("a map's value has more than 65,536 numbers");
		return -EINVAL;
	}
	if (!ARRAY_RESERVE_NEXT(plan->parts, plan->count))
		return -ENOMEM;
	plan->parts[plan->count++] = *part;
	return 0;
}

/* Whether the bytes are one number in the order of this machine. */
static bool is_whole_number(const struct peat_field *field)
{
	if (field_type__of(field)->class == PEAT_CLASS_FLOAT)
		return field->bytes == 4 || field->bytes == 8;
	return fields__is_number(field) && !field->bits && !field->big_endian &&
	       (field->bytes == 1 || field->bytes == 2 || field->bytes == 4 || field->bytes == 8);
}

static struct merge_part part_of(const struct peat_field *field, enum map_merge merge)
{
	const struct field_type *type = field_type__of(field);
	struct merge_part part = {
		.merge = merge				 ? merge
			 : type->sum == FIELD_SUM_ALWAYS ? MAP_MERGE_SUM
							 : MAP_MERGE_FIRST,
		.is_signed = field_type__is_signed(field),
		.is_float = type->class == PEAT_CLASS_FLOAT,
		.bytes = field->bytes,
		.count = 1,
	};

	if (!is_whole_number(field))
		part.merge = MAP_MERGE_FIRST;
	return part;
}

static int add_fields(struct map_merge_plan *plan, const struct map_schema *made,
		      const struct peat_field *field, const struct peat_field *end, uint32_t base,
		      enum map_merge outer);

static int add_elements(struct map_merge_plan *plan, const struct map_schema *made,
			const struct peat_field *array, uint32_t at, enum map_merge merge)
{
	const struct peat_field *element = array + 1;
	struct merge_part part = part_of(element, merge);
	int err = 0;

	if (element->span == 1) {
		part.offset = at;
		part.count = array->count;
		return add_merge_part(plan, &part);
	}
	for (uint32_t i = 0; !err && i < array->count; i++)
		err = add_fields(plan, made, element, element + element->span,
				 at + i * element->bytes, merge);
	return err;
}

static int add_field(struct map_merge_plan *plan, const struct map_schema *made,
		     const struct peat_field *field, uint32_t base, enum map_merge outer)
{
	enum map_merge own = made->merges[field - made->schema->fields];
	enum map_merge merge = own ? own : outer;
	const struct field_type *type = field_type__of(field);
	struct merge_part part = part_of(field, merge);

	part.offset = base + field->offset;
	if (type->class == PEAT_CLASS_MEMBERS && !type->overlaps)
		return add_fields(plan, made, field + 1, field + field->span, part.offset, merge);
	if (type->class == PEAT_CLASS_ELEMENTS)
		return add_elements(plan, made, field, part.offset, merge);
	return add_merge_part(plan, &part);
}

static int add_fields(struct map_merge_plan *plan, const struct map_schema *made,
		      const struct peat_field *field, const struct peat_field *end, uint32_t base,
		      enum map_merge outer)
{
	int err = 0;

	for (; !err && field < end; field += field->span)
		err = add_field(plan, made, field, base, outer);
	return err;
}

/* The fields of the value are those of the row after the key and before the histogram. */
static int add_value(struct map_merge_plan *plan, const struct map_schema *made)
{
	const struct peat_field *field = made->schema->fields, *end = field + made->schema->count;
	uint32_t column = 0;
	int err = 0;

	for (; !err && field < end; field += field->span)
		if (column++ >= made->keys && field->offset < made->value_at + plan->value_bytes)
			err = add_field(plan, made, field, -made->value_at, MAP_MERGE_DEFAULT);
	return err;
}

int map_merge__make(struct map_merge_plan *plan, const struct map_schema *made,
		    uint32_t value_bytes)
{
	struct merge_part slots = {
		.merge = MAP_MERGE_SUM,
		.offset = made->slot_offset,
		.bytes = made->slot_bytes,
		.count = made->slot_count,
	};
	int err;

	*plan = (struct map_merge_plan){ .value_bytes = value_bytes };
	err = add_value(plan, made);
	if (!err && slots.count)
		err = add_merge_part(plan, &slots);
	if (err)
		map_merge__free(plan);
	return err;
}

void map_merge__free(struct map_merge_plan *plan)
{
	free(plan->parts);
	*plan = (struct map_merge_plan){ 0 };
}

/* ---- numbers --------------------------------------------------------------------------------- */

union number {
	uint64_t unsigned_;
	int64_t signed_;
	double real;
};

static union number load_float(uint32_t bytes, const void *at)
{
	union number number = { 0 };
	float small;

	if (bytes == sizeof(small)) {
		memcpy(&small, at, sizeof(small));
		number.real = (double)small;
	} else {
		memcpy(&number.real, at, sizeof(number.real));
	}
	return number;
}

static union number load_number(const struct merge_part *part, const void *at)
{
	uint8_t u8;
	uint16_t u16;
	uint32_t u32;
	uint64_t u64 = 0;

	if (part->is_float)
		return load_float(part->bytes, at);
	switch (part->bytes) {
	case 1:
		memcpy(&u8, at, 1);
		u64 = part->is_signed ? (uint64_t)(int8_t)u8 : u8;
		break;
	case 2:
		memcpy(&u16, at, 2);
		u64 = part->is_signed ? (uint64_t)(int16_t)u16 : u16;
		break;
	case 4:
		memcpy(&u32, at, 4);
		u64 = part->is_signed ? (uint64_t)(int32_t)u32 : u32;
		break;
	default:
		memcpy(&u64, at, 8);
	}
	return (union number){ .unsigned_ = u64 };
}

static void store(const struct merge_part *part, void *at, union number number)
{
	uint8_t u8 = (uint8_t)number.unsigned_;
	uint16_t u16 = (uint16_t)number.unsigned_;
	uint32_t u32 = (uint32_t)number.unsigned_;
	float small = (float)number.real;

	if (part->is_float && part->bytes == 4)
		memcpy(at, &small, 4);
	else if (part->bytes == 1)
		memcpy(at, &u8, 1);
	else if (part->bytes == 2)
		memcpy(at, &u16, 2);
	else if (part->bytes == 4)
		memcpy(at, &u32, 4);
	else
		memcpy(at, &number.unsigned_, 8);
}

/* Narrow sums saturate: a wrapped one would be a small number that looks right. */
static union number add_numbers(const struct merge_part *part, union number a, union number b)
{
	unsigned bits = part->bytes * 8;
	union number sum = { .unsigned_ = a.unsigned_ + b.unsigned_ };

	if (part->is_float)
		return (union number){ .real = a.real + b.real };
	if (part->is_signed && bits < 64) {
		int64_t most = (int64_t)1 << (bits - 1);

		if (sum.signed_ >= most)
			sum.signed_ = most - 1;
		else if (sum.signed_ < -most)
			sum.signed_ = -most;
	} else if (!part->is_signed && bits < 64 && sum.unsigned_ >> bits) {
		sum.unsigned_ = ((uint64_t)1 << bits) - 1;
	}
	return sum;
}

static bool is_less(const struct merge_part *part, union number a, union number b)
{
	if (part->is_float)
		return a.real < b.real;
	return part->is_signed ? a.signed_ < b.signed_ : a.unsigned_ < b.unsigned_;
}

/* ---- CPUs ------------------------------------------------------------------------------------ */

static bool is_zero(const uint8_t *bytes, uint32_t count)
{
	while (count && !*bytes)
		bytes++, count--;
	return !count;
}

static union number merge_two(const struct merge_part *part, union number a, union number b)
{
	if (part->merge == MAP_MERGE_SUM)
		return add_numbers(part, a, b);
	return is_less(part, b, a) == (part->merge == MAP_MERGE_MIN) ? b : a;
}

/* Merges the bytes of another CPU into those at `to`. */
static void merge_part(const struct merge_part *part, uint8_t *to, const uint8_t *from)
{
	for (uint32_t i = 0; i < part->count; i++, to += part->bytes, from += part->bytes) {
		if (part->merge != MAP_MERGE_FIRST)
			store(part, to,
			      merge_two(part, load_number(part, to), load_number(part, from)));
		else if (is_zero(to, part->bytes))
			memcpy(to, from, part->bytes);
	}
}

static void copy_parts(const struct map_merge_plan *plan, uint8_t *to, const uint8_t *from)
{
	memset(to, 0, plan->value_bytes);
	for (uint32_t i = 0; i < plan->count; i++) {
		const struct merge_part *part = &plan->parts[i];

		memcpy(to + part->offset, from + part->offset, part->bytes * part->count);
	}
}

/* CPUs that never wrote to the entry have all zeroes: they have no smallest number. */
void map_merge__cpus(const struct map_merge_plan *plan, void *value, const void *values,
		     uint32_t stride, uint32_t cpus)
{
	const uint8_t *from = values;
	uint32_t cpu = 0;

	while (cpu + 1 < cpus && is_zero(from, plan->value_bytes))
		cpu++, from += stride;
	copy_parts(plan, value, from);
	while (++cpu < cpus) {
		from += stride;
		if (is_zero(from, plan->value_bytes))
			continue;
		for (uint32_t i = 0; i < plan->count; i++)
			merge_part(&plan->parts[i], (uint8_t *)value + plan->parts[i].offset,
				   from + plan->parts[i].offset);
	}
}

/* ---- differences ----------------------------------------------------------------------------- */

static bool has_shrunk(const struct merge_part *part, const uint8_t *now, const uint8_t *earlier)
{
	if (part->merge != MAP_MERGE_SUM || part->is_signed || part->is_float)
		return false;
	for (uint32_t i = 0; i < part->count; i++)
		if (is_less(part, load_number(part, now + i * part->bytes),
			    load_number(part, earlier + i * part->bytes)))
			return true;
	return false;
}

static void subtract(const struct merge_part *part, uint8_t *now, const uint8_t *earlier)
{
	for (uint32_t i = 0; i < part->count; i++, now += part->bytes, earlier += part->bytes) {
		union number a = load_number(part, now), b = load_number(part, earlier);

		if (part->is_float)
			a.real -= b.real;
		else
			a.unsigned_ -= b.unsigned_;
		store(part, now, a);
	}
}

bool map_merge__has_amounts(const struct map_merge_plan *plan)
{
	for (uint32_t i = 0; i < plan->count; i++)
		if (plan->parts[i].merge == MAP_MERGE_SUM)
			return true;
	return false;
}

void map_merge__subtract(const struct map_merge_plan *plan, void *value, const void *earlier)
{
	uint8_t *now = value;
	const uint8_t *then = earlier;

	for (uint32_t i = 0; i < plan->count; i++) {
		const struct merge_part *part = &plan->parts[i];

		if (has_shrunk(part, now + part->offset, then + part->offset))
			return;
	}
	for (uint32_t i = 0; i < plan->count; i++) {
		const struct merge_part *part = &plan->parts[i];

		if (part->merge == MAP_MERGE_SUM)
			subtract(part, now + part->offset, then + part->offset);
	}
}
