// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* receiver/batch_where.c: tests the events of a batch. */
#include <string.h>

#include "base/errors.h"
#include "base/log.h"
#include "receiver/batch_where.h"

int batch_where__begin(struct batch_where *batch, struct where_text *all)
{
	*batch = (struct batch_where){ .all = all };
	if (!all->text)
		return 0;
	batch->where = peat_where__parse(all->text);
	return batch->where ? 0 : -errno;
}

static bool is_known_misfit(const struct where_text *all, const char *type)
{
	size_t at = 0;

	if (all->misfits.count > WHERE_TEXT_MISFITS_MAX)
		return true;
	while (at < all->misfits.count && strcmp(all->misfits.bytes + at, type))
		at += strlen(all->misfits.bytes + at) + 1;
	return at < all->misfits.count;
}

static int resolve(struct batch_where *batch, const struct peat_schema *schema)
{
	const char *type = peat_schema__name(schema);
	enum peat_log_level level = PEAT_LOG_ERROR;
	bool is_known = is_known_misfit(batch->all, type);
	int err;

	if (is_known)
		level = log__set_severest(PEAT_LOG_DEBUG);
	err = peat_where__add_type(batch->where, schema);
	if (is_known)
		log__set_severest(level);
	else if (err == -EINVAL)
		strbuf__bytes(&batch->all->misfits, type, strlen(type) + 1);
	batch->resolved = schema;
	return err == -ENOMEM ? err : 0;
}

int batch_where__test(struct batch_where *batch, const struct peat_event *event)
{
	int err = 0;

	if (!batch->where)
		return 1;
	if (event->schema && event->schema != batch->resolved)
		err = resolve(batch, event->schema);
	return err ?: peat_where__test(batch->where, event);
}

void batch_where__end(struct batch_where *batch)
{
	peat_where__free(batch->where);
}
