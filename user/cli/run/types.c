// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* types.c: visits the types of the events that a reader returns. */
#include "cli/run/types.h"

int types__of_events(struct peat_reader *reader, types_fn use, void *arg)
{
	struct peat_type type = { .sz = sizeof(type) };
	int more = 1, err = 0, count = 0;

	for (uint32_t i = 0; err >= 0 && more > 0; i++) {
		more = peat_reader__type_at(reader, i, &type);
		if (more <= 0 || !type.schema)
			continue;
		err = use(arg, type.schema);
		count++;
	}
	return err < 0 ? err : more < 0 ? more : count;
}

int types__of_kinds(uint32_t kinds, types_fn use, void *arg)
{
	const struct peat_schema *type;
	int err = 0, count = 0;

	for (uint32_t kind = 1; kind && kind <= kinds; kind <<= 1)
		for (uint32_t i = 0; err >= 0 && kind & kinds &&
				     (type = peat_side_band__schema((enum peat_side_band)kind, i));
		     i++) {
			err = use(arg, type);
			count++;
		}
	return err < 0 ? err : count;
}

bool types__has_kind(const struct peat_event *event, uint32_t kinds)
{
	const struct peat_schema *type;

	if (event->kind != PEAT_EVENT_RECORD || !event->schema)
		return false;
	for (uint32_t kind = 1; kind && kind <= kinds; kind <<= 1)
		for (uint32_t i = 0;
		     kind & kinds && (type = peat_side_band__schema((enum peat_side_band)kind, i));
		     i++)
			if (type == event->schema)
				return true;
	return false;
}

static int add_type(void *where, const struct peat_schema *type)
{
	return peat_where__add_type(where, type);
}

int types__add_kinds(struct peat_where *where, uint32_t kinds)
{
	int count = where ? types__of_kinds(kinds, add_type, where) : 0;

	return count < 0 ? count : 0;
}
