// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* functions/argument_place.c: where this machine passes arguments. */
#include <errno.h>
#include <linux/btf.h>
#include <bpf/btf.h>

#include "functions/argument_place.h"
#include "functions/plain_type.h"
#include "functions/prototype.h"

/*
 * STACK_START: bytes from the stack pointer at the call to the first argument on the stack; the
 * call itself pushes the return address on x86-64, callers save registers there on s390x.
 * HIDES_RESULT: a struct of more than RESULT_BYTES is returned in memory, whose address is a hidden
 * first argument.  arm64 has a register of its own for it.
 */
#if defined(__x86_64__)
#define REGISTERS	6
#define FLOAT_REGISTERS 8
#define STACK_START	8
#define HIDES_RESULT	true
#define RESULT_BYTES	16
#elif defined(__aarch64__)
#define REGISTERS	8
#define FLOAT_REGISTERS 8
#define STACK_START	0
#define HIDES_RESULT	false
#define RESULT_BYTES	16
#elif defined(__s390x__)
#define REGISTERS	5
#define FLOAT_REGISTERS 4
#define STACK_START	160
#define HIDES_RESULT	true
#define RESULT_BYTES	0
#else
#error "no calling convention for this machine"
#endif

#define SLOT_BYTES 8

void argument_place__of_number(struct plan_read *read, uint32_t number)
{
	if (number < REGISTERS) {
		read->source = (unsigned char)(PLAN_ARG0 + number);
		return;
	}
	read->source = PLAN_SP;
	read->steps = 1;
	read->offset[0] = (int)(STACK_START + SLOT_BYTES * (number - REGISTERS));
}

struct counts {
	uint32_t integers, floats;
};

/* Floats have registers of their own, as long as these suffice. */
static int count_parameter(struct counts *counts, const struct btf *btf, uint32_t id,
			   const char **why)
{
	struct plain_type plain;
	uint32_t bytes;
	int err = plain_type__find(&plain, btf, id);

	if (err)
		return err;
	*why = "a struct or a number of 16 bytes is passed by value";
	bytes = plain_type__number_bytes(&plain);
	if (btf_is_float(plain.type) && plain.type->size <= SLOT_BYTES)
		counts->floats++;
	else if (bytes && bytes <= SLOT_BYTES)
		counts->integers++;
	else
		return -EINVAL;
	return 0;
}

/* C++ returns small structs in memory, too, if they have constructors: BTF does not say. */
static int count_result(struct counts *counts, const struct prototype *prototype, uint32_t id,
			const char **why)
{
	struct plain_type plain;
	int err = plain_type__find(&plain, prototype->btf, id);

	if (err || !HIDES_RESULT)
		return err;
	*why = "the type of the result is unknown";
	if (btf_is_fwd(plain.type) || btf_is_array(plain.type))
		return -EINVAL;
	if (!btf_is_composite(plain.type))
		return 0;
	*why = "the function returns a struct by value";
	if (plain.type->size <= RESULT_BYTES)
		return prototype->is_user ? -EINVAL : 0;
	counts->integers++;
	return 0;
}

int argument_place__of_parameter(struct plan_read *read, const struct prototype *prototype,
				 uint32_t index, const char **why)
{
	const struct btf_type *type = btf__type_by_id(prototype->btf, prototype->id);
	const struct btf_param *parameters = btf_params(type);
	uint32_t named = prototype__named(prototype, NULL);
	struct counts counts = { 0 };
	int err = count_result(&counts, prototype, type->type, why);

	for (uint32_t i = 0; !err && i <= index; i++) {
		if (i < named)
			err = count_parameter(&counts, prototype->btf, parameters[i].type, why);
		else
			counts.integers++;
	}
	if (err)
		return err;
	if (counts.floats > FLOAT_REGISTERS && counts.integers > REGISTERS) {
		*why = "some floating-point numbers before it are on the stack";
		return -EINVAL;
	}
	if (counts.integers)
		argument_place__of_number(read, counts.integers - 1);
	return 0;
}

void argument_place__narrow(struct plan_read *read, uint32_t bytes)
{
	if (read->source == PLAN_SP && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
		read->offset[0] += (int)(SLOT_BYTES - bytes);
}
