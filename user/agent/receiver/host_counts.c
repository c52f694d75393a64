// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* receiver/host_counts.c: counts events by host and fields. */
#include <stdlib.h>
#include <string.h>

#include "base/errors.h"
#include "base/glob.h"
#include "base/hash.h"
#include "base/sip_hash.h"
#include "base/strbuf.h"
#include "field/fields.h"
#include "receiver/host_counts.h"
#include "schema/schema_bytes.h"
#include "tables/table.h"

/* A type of any batch, which lives as long as the table. */
struct known_type {
	struct hash_link link;
	struct peat_schema *schema;
	size_t count;
	char bytes[];
};

struct host_counts {
	char *type;
	struct peat_table *table;
	struct hash types; /* struct known_type */
	size_t type_bytes;
	struct strbuf bytes;		  /* of the type that is looked up */
	const struct peat_schema *schema; /* of the last event of the batch; NULL: none */
	const struct peat_schema *known;  /* the same type of the table; NULL: not counted */
	bool is_wanted;			  /* its name is `type` */
	uint64_t left_out;
};

struct host_counts *host_counts__new(const char *type, const char *by, const char *sort)
{
	const struct peat_table_opts opts = {
		.sz = sizeof(opts), .by = by, .sort = sort, .max_rows = HOST_COUNTS_ROWS
	};
	struct host_counts *counts = calloc(1, sizeof(*counts));
	int err;

	if (!counts)
		return fail_null(-ENOMEM);
	counts->type = strdup(type);
	counts->table = counts->type ? peat_table__new(&opts) : NULL;
	if (counts->table) {
		table__set_host(counts->table, "");
		table__limit_bytes(counts->table, HOST_COUNTS_BYTES);
		return counts;
	}
	err = counts->type ? -errno : -ENOMEM;
	host_counts__free(counts);
	return fail_null(err);
}

/* ---- types ----------------------------------------------------------------------------------- */

static const struct peat_schema *find_type(const struct host_counts *counts, uint64_t code)
{
	const struct strbuf *bytes = &counts->bytes;

	for (struct hash_link *link = hash__first(&counts->types, code); link;
	     link = hash__next(link)) {
		struct known_type *type = HASH_ENTRY(link, struct known_type, link);

		if (type->count == bytes->count && !memcmp(type->bytes, bytes->bytes, bytes->count))
			return type->schema;
	}
	return NULL;
}

/* Copies counts->bytes.  Addresses of another machine have no names here. */
static int add_type(struct host_counts *counts, uint64_t code)
{
	struct known_type *type = malloc(sizeof(*type) + counts->bytes.count);
	int err;

	if (!type)
		return -ENOMEM;
	type->count = counts->bytes.count;
	memcpy(type->bytes, counts->bytes.bytes, type->count);
	type->schema = schema_bytes__read(type->bytes, type->count);
	err = type->schema ? hash__add(&counts->types, &type->link, code) : -errno;
	if (err) {
		peat_schema__free(type->schema);
		free(type);
		return err == -EBADMSG ? 0 : err;
	}
	type->schema->is_recorded = true;
	counts->type_bytes += type->count;
	counts->known = type->schema;
	return 0;
}

/* Sets counts->known. */
static int look_up(struct host_counts *counts, const struct peat_schema *schema)
{
	uint64_t code;

	strbuf__cut(&counts->bytes, 0);
	schema_bytes__put(schema, &counts->bytes);
	if (counts->bytes.failed)
		return -ENOMEM;
	code = sip_hash__key(counts->bytes.bytes, counts->bytes.count);
	counts->known = find_type(counts, code);
	if (counts->known || counts->types.count == HOST_COUNTS_TYPES ||
	    counts->bytes.count > HOST_COUNTS_TYPE_BYTES - counts->type_bytes)
		return 0;
	return add_type(counts, code);
}

static int begin_type(struct host_counts *counts, const struct peat_schema *schema)
{
	const char *name = peat_schema__name(schema);

	counts->schema = schema;
	counts->known = NULL;
	counts->is_wanted = glob__match(counts->type, name, strlen(name));
	return counts->is_wanted ? look_up(counts, schema) : 0;
}

/* ---- events ---------------------------------------------------------------------------------- */

void host_counts__begin_batch(struct host_counts *counts, const char *host)
{
	table__set_host(counts->table, host);
	counts->schema = NULL;
}

int host_counts__add(struct host_counts *counts, const struct peat_event *event)
{
	struct peat_event counted = *event;
	int err = 0;

	if (!event->schema || event->kind == PEAT_EVENT_LOST)
		return 0;
	if (event->schema != counts->schema)
		err = begin_type(counts, event->schema);
	if (err || !counts->is_wanted)
		return err;
	counted.schema = counts->known;
	err = counts->known ? peat_table__add(counts->table, &counted) : -EINVAL;
	counts->left_out += err == -EINVAL || err == -EMSGSIZE;
	return err == -ENOMEM ? err : 0;
}

uint64_t host_counts__left_out(const struct host_counts *counts)
{
	return counts->left_out;
}

struct peat_table *host_counts__table(const struct host_counts *counts)
{
	return counts->table;
}

int host_counts__check(const struct host_counts *counts)
{
	return counts->types.count ? peat_table__check(counts->table) : 0;
}

void host_counts__free(struct host_counts *counts)
{
	if (!counts)
		return;
	peat_table__free(counts->table);
	for_each_entry (&counts->types, link) {
		struct known_type *type = HASH_ENTRY(link, struct known_type, link);

		peat_schema__free(type->schema);
		free(type);
	}
	hash__free(&counts->types);
	strbuf__free(&counts->bytes);
	free(counts->type);
	free(counts);
}
