/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * functions/probe_parts.h: the parts of making a probe: its fields (probe_fields.c), then the plans
 * of its functions (probe_plans.c).
 */
#ifndef PEAT_FUNCTIONS_PROBE_PARTS_H
#define PEAT_FUNCTIONS_PROBE_PARTS_H

#include "functions/field_types.h"
#include "functions/function_field.h"
#include "functions/function_probe.h"
#include "functions/tracepoint_record.h"

struct prototypes;

/* The state of making a probe. */
struct making {
	struct function_probe *probe;
	const struct wanted_fields *wanted;
	struct prototypes *prototypes; /* of the kernel; NULL: none are known */
	struct btf *user_btf;	       /* of the program; NULL: no prototypes are known */
	struct field_types types;      /* in the object's BTF */
	struct function_field fields[PLAN_READS];
	uint32_t count, own; /* fields; the first one that is no name */
};

static inline enum function_moment making__moment(const struct making *making)
{
	return function_source__is_return(&making->probe->source) ? FUNCTION_RETURN : FUNCTION_CALL;
}

/* A function or tracepoint, with its types: fields are made from it. */
struct subject {
	const struct found_function *function;
	struct prototype prototype;
	struct tracepoint_record record;
};

/* Function `i` of making->probe->found.  0 or a negative errno. */
int subject__open(struct subject *subject, const struct making *making, size_t i);
void subject__close(struct subject *subject);

/* As function_field__make(), for any kind of source. */
int probe_fields__make_one(struct function_field *field, struct field_types *types,
			   const struct making *making, const struct subject *subject,
			   const char *path, struct strbuf *why);

/* Makes the fields that are wanted.  0 or a negative errno; the log has the reason. */
int probe_fields__make(struct making *making);

/* Makes the type of the events, and the plans of all functions that have the fields; likewise. */
int probe_plans__make(struct making *making);

#endif /* PEAT_FUNCTIONS_PROBE_PARTS_H */
