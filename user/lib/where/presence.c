// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* where/presence.c: terms that reject events in which a field is absent. */
#include <string.h>

#include "field/fields.h"
#include "where/presence.h"
#include "where/term.h"

/* Whether all events that pass from term `at` on pass this term first; its `no` does not count. */
static bool is_tested(const struct where_terms *terms, struct peat_term term, uint32_t at)
{
	while (at < PEAT_TERMS && terms->terms[at].yes == PEAT_TERM_FAIL) {
		term.no = terms->terms[at].no;
		if (!memcmp(&terms->terms[at], &term, sizeof(term)))
			return true;
		at = term.no;
	}
	return false;
}

bool where_presence__put(struct where_terms *terms, const struct peat_field *field, uint32_t base,
			 uint32_t *first)
{
	struct term_number number;
	struct peat_term term;

	if (!term__find_number(field->presence, base, &number))
		return false;
	term = term__load(&number); /* == 0 */
	term.yes = PEAT_TERM_FAIL;
	if (is_tested(terms, term, *first))
		return true;
	if (!terms->begin)
		return false;
	*first = term__put(terms, term, PEAT_TERM_FAIL, *first);
	return true;
}

static struct peat_term_type *find_type(struct where_terms *terms, uint32_t btf_id)
{
	for (uint32_t i = 0; i < terms->type_count; i++)
		if (terms->types[i].type == btf_id)
			return &terms->types[i];
	return NULL;
}

bool where_presence__require(struct where_terms *terms, uint32_t btf_id,
			     const struct peat_field *field, uint32_t base)
{
	struct peat_term_type *type = find_type(terms, btf_id);
	uint32_t end = base + where_presence__end(field);
	uint32_t first = type ? type->first : PEAT_TERM_PASS;

	if (!type && terms->type_count == PEAT_TERM_TYPES)
		return false;
	if (end > UINT16_MAX - PEAT_TERM_ORIGIN || !where_presence__put(terms, field, base, &first))
		return false;
	if (!type) {
		type = &terms->types[terms->type_count++];
		*type = (struct peat_term_type){ .type = btf_id };
	}
	type->first = (unsigned short)first;
	if (type->bytes < end)
		type->bytes = (unsigned short)end;
	if (type->read_bytes < end)
		type->read_bytes = (unsigned short)end;
	return true;
}
