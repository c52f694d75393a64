/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* stacks/stack_weight.h: the weight of an event's stack: a field of the event, or its period. */
#ifndef PEAT_STACKS_STACK_WEIGHT_H
#define PEAT_STACKS_STACK_WEIGHT_H

#include <peat/reader.h>

/* All zero but `path`. */
struct stack_weight {
	const char *path;	   /* of the field; NULL: the period, if the event has one */
	enum peat_field_kind unit; /* of the last event: DURATION, SIZE or UNSIGNED */
	uint64_t negative;	   /* events that count as 0 */

	/* Private: the field of the last event's type. */
	const struct peat_schema *schema;
	const struct peat_field *field;
	uint32_t base;
};

/*
 * Stores the weight of an event.  A field that the event ends before is 0.
 *
 *	1		done
 *	0		`path` is NULL, and the event has no period
 *	-EINVAL		the event has no such field, or it is not a whole number; the log has the
 *			reason
 */
int stack_weight__of(struct stack_weight *weight, const struct peat_event *event, uint64_t *value);

/* The event's name; "unknown". */
const char *stack_weight__event_name(const struct peat_event *event);

/*
 * Checks that a type of the reader has the field, or that none is known yet; the period is not
 * checked.  0, or -EINVAL with the reason in the log.
 */
int stack_weight__check(const char *path, struct peat_reader *reader);

/* Whether an event of this name is sampled by a clock, whose periods are nanoseconds. */
bool stack_weight__is_clock(const char *event);

#endif /* PEAT_STACKS_STACK_WEIGHT_H */
