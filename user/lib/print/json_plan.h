/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * print/json_plan.h: the parts of a line of JSON that are the same in all events of a type: its
 * keys, and which fields are numbers at a fixed place.
 */
#ifndef PEAT_PRINT_JSON_PLAN_H
#define PEAT_PRINT_JSON_PLAN_H

#include "base/hash.h"
#include "base/strbuf.h"
#include "field/fields.h"
#include "print/frames.h"

/* Text between two values, such as `,"ppid":`, in json_plan.text. */
struct json_key {
	uint32_t at, bytes;
	/* The field's size, if it is a number without a name, native and always there; otherwise 0.
	 */
	uint32_t number_bytes;
};

struct json_plan {
	struct hash_link link;
	const struct peat_schema *schema;
	enum symbols symbols;		 /* of the event that is printed */
	const struct peat_event *event;	 /* the same; NULL: a field alone */
	struct peat_symbols *user_names; /* names of its user stacks; NULL: none */
	struct strbuf text;		 /* all keys, then JSON_KEY_PADDING bytes */
	struct json_key head;		 /* `{"type":"exec","time_ns":` */
	struct json_key keys[];		 /* one for each field */
};

/* NULL: no memory. */
struct json_plan *json_plan__new(const struct peat_schema *schema);
void json_plan__free(struct json_plan *plan); /* takes NULL */

/*
 * Copies a key, at least in steps of this many bytes: most keys are short, and a call of memcpy()
 * takes longer.  Returns the end of the key.
 */
#define JSON_KEY_PADDING 16
static inline char *json_plan__copy(const struct json_plan *plan, const struct json_key *key,
				    char *to)
{
	const char *from = plan->text.bytes + key->at;

	for (uint32_t i = 0; i < key->bytes; i += JSON_KEY_PADDING)
		memcpy(to + i, from + i, JSON_KEY_PADDING);
	return to + key->bytes;
}

#endif /* PEAT_PRINT_JSON_PLAN_H */
