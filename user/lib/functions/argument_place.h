/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * functions/argument_place.h: the registers and the places on the stack that this machine passes
 * arguments in.
 */
#ifndef PEAT_FUNCTIONS_ARGUMENT_PLACE_H
#define PEAT_FUNCTIONS_ARGUMENT_PLACE_H

#include <stdbool.h>
#include <stdint.h>

#include "functions/plan.h"

struct prototype;

#define ARGUMENTS_NAMED 12 /* arg1 ... arg12 */

/* Sets source, steps and offset[0] for argument `number`, counted from 0, of integers alone. */
void argument_place__of_number(struct plan_read *read, uint32_t number);

/*
 * The same for parameter `index` of a function whose prototype is known.  Arguments in the place of
 * "..." are integers.
 *
 *	0
 *	-EINVAL		the place is unknown: a parameter by value, or a result by value, decides
 *			it; `why` has the reason
 *	-EBADMSG	invalid BTF
 */
int argument_place__of_parameter(struct plan_read *read, const struct prototype *prototype,
				 uint32_t index, const char **why);

/* Narrows the read of a place on the stack to the low `bytes` bytes of its 8. */
void argument_place__narrow(struct plan_read *read, uint32_t bytes);

#endif /* PEAT_FUNCTIONS_ARGUMENT_PLACE_H */
