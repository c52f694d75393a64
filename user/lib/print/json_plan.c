// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* print/json_plan.c: makes the keys of a type's events, once. */
#include <stdlib.h>

#include "base/json_value.h"
#include "print/json_plan.h"

/* Bytes of a number that is printed as it is in memory; 0: another field. */
static uint32_t plain_bytes(const struct peat_field *field)
{
	bool is_plain = field_type__of(field)->class == PEAT_CLASS_NUMBER &&
			fields__is_number(field) && field->place == PEAT_PLACE_OFFSET &&
			!field->bits && !field->big_endian && !field->presence && !field->length &&
			!(field->schema && field->schema->unknown);

	return is_plain ? field->bytes : 0;
}

static void plan_key(struct json_plan *plan, const struct peat_field *field, const char *before,
		     const char *name)
{
	struct json_key *key = &plan->keys[field - plan->schema->fields];

	key->at = (uint32_t)plan->text.count;
	strbuf__text(&plan->text, before);
	json_value__name(&plan->text, name);
	strbuf__char(&plan->text, ':');
	key->bytes = (uint32_t)plan->text.count - key->at;
	key->number_bytes = plain_bytes(field);
}

static void plan_members(struct json_plan *plan, const struct peat_field *field)
{
	const struct peat_field *first = field + 1, *end = field + field->span;
	const char *before = "";

	if (field_type__of(field)->class == PEAT_CLASS_ELEMENTS && first < end)
		plan_members(plan, first);
	if (!fields__has_members(field))
		return;
	for (const struct peat_field *inner = first; inner < end; inner += inner->span) {
		plan_key(plan, inner, before, inner->name);
		plan_members(plan, inner);
		before = inner->is_hidden ? before : ",";
	}
}

void json_plan__free(struct json_plan *plan)
{
	if (!plan)
		return;
	strbuf__free(&plan->text);
	free(plan);
}

struct json_plan *json_plan__new(const struct peat_schema *schema)
{
	const struct peat_field *end = fields__end(schema);
	struct json_plan *plan = calloc(1, sizeof(*plan) + schema->count * sizeof(*plan->keys));

	if (!plan)
		return NULL;
	plan->schema = schema;
	strbuf__text(&plan->text, "{\"type\":");
	json_value__name(&plan->text, schema->name);
	strbuf__text(&plan->text, ",\"time_ns\":");
	plan->head.bytes = (uint32_t)plan->text.count;
	for (const struct peat_field *field = schema->fields; field < end; field += field->span) {
		plan_key(plan, field, ",", field->name);
		plan_members(plan, field);
	}
	strbuf__fill(&plan->text, 0, JSON_KEY_PADDING);
	if (!plan->text.failed)
		return plan;
	json_plan__free(plan);
	return NULL;
}
