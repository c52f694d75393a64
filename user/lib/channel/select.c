// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* channel/select.c: what the programs of an object decide about their events. */
#include <errno.h>
#include <string.h>
#include <bpf/libbpf.h>

#include <peat/wire.h>

#include "base/log.h"
#include "base/strbuf.h"
#include "channel/cells.h"
#include "channel/program_stacks.h"
#include "channel/select.h"
#include "channel/sent_names.h"
#include "channel/task_helpers.h"
#include "field/fields.h"
#include "object/globals.h"
#include "schema/event_types.h"
#include "sys/file_room.h"
#include "tables/table.h"
#include "where/presence.h"
#include "where/terms.h"

/* The selection of one object. */
struct object_selection {
	struct peat_channel *channel;
	const struct bound_object *bound;
	struct where_terms terms;
	bool can_comm;
	uint32_t parts;		 /* PEAT_SELECT_* */
	struct peat_count_by by; /* if they have COUNT */
};

/* ---- what is counted ------------------------------------------------------------------------- */

/* The key of a table under construction. */
struct key_words {
	struct peat_count_by *by;
	uint32_t bytes; /* of the event that are read */
	bool uses_comm;
	bool of_type; /* it has something that only events of this type have */
};

static bool add_word(struct key_words *key, enum peat_key_kind kind, uint32_t offset,
		     uint32_t width)
{
	if (key->by->words == PEAT_KEY_WORDS)
		return false;
	key->by->key[key->by->words++] = (struct peat_key_word){
		.offset = (unsigned short)offset,
		.width = (unsigned char)width,
		.kind = (unsigned char)kind,
		.mask = width < 8 ? (1ULL << width * 8) - 1 : UINT64_MAX,
	};
	return true;
}

/* `count` bytes of the event, as they are, or a text. */
static bool add_bytes(struct key_words *key, uint32_t offset, uint32_t count, bool is_text)
{
	uint32_t width, end = offset + count;
	enum peat_key_kind kind = is_text ? PEAT_KEY_TEXT : PEAT_KEY_NUMBER;

	key->of_type = true;
	if (end > key->bytes)
		key->bytes = end;
	for (; offset < end; offset += width) {
		width = where_terms__load_bytes(offset, end - offset);
		if (!add_word(key, kind, PEAT_TERM_ORIGIN + offset, width))
			return false;
		kind = is_text ? PEAT_KEY_TEXT_ON : PEAT_KEY_NUMBER;
	}
	return true;
}

/* Numbers with a length may be absent from an event that has room for them. */
static bool is_whole_number(const struct peat_field *field)
{
	return field->place == PEAT_PLACE_OFFSET && fields__is_number(field) && !field->bits &&
	       !field->length;
}

static bool is_fixed_bytes(const struct peat_field *field)
{
	enum peat_field_class class = field_type__of(field)->class;

	if (class == PEAT_CLASS_ADDRESS || class == PEAT_CLASS_BYTES)
		return field->place == PEAT_PLACE_OFFSET && field->bytes && !field->length;
	return is_whole_number(field);
}

static bool add_field(struct key_words *key, const struct table_field *from)
{
	const struct peat_field *field = from->field;
	uint32_t offset = from->base + field->offset;

	if (where_terms__is_plain_text(field))
		return add_bytes(key, offset, field->bytes, true);
	return is_fixed_bytes(field) && add_bytes(key, offset, field->bytes, false);
}

static bool add_key(struct key_words *key, const struct table_field *from,
		    const struct object_selection *selection)
{
	bool has_ids = selection->terms.has_ids;

	switch (from->operand) {
	case TABLE_FIELD:
		return add_field(key, from);
	case TABLE_PID:
		return has_ids && add_word(key, PEAT_KEY_NUMBER, PEAT_TERM_ORIGIN - 8, 4);
	case TABLE_TID:
		return has_ids && add_word(key, PEAT_KEY_NUMBER, PEAT_TERM_ORIGIN - 4, 4);
	case TABLE_CPU:
		return add_word(key, PEAT_KEY_CPU, 0, 4);
	case TABLE_COMM:
		key->uses_comm = true;
		return selection->can_comm && add_word(key, PEAT_KEY_COMM, 0, 8) &&
		       add_word(key, PEAT_KEY_COMM, 8, 8);
	case TABLE_TYPE: /* no word: programs count one type only */
		key->of_type = true;
		return true;
	default:
		return false;
	}
}

#define VALUES_OF_NUMBERS                                                                          \
	(PEAT_TABLE_SUM | PEAT_TABLE_AVERAGE | PEAT_TABLE_MIN | PEAT_TABLE_MAX | PEAT_TABLE_LOG2 | \
	 PEAT_TABLE_LINEAR)

static bool is_power_of_two(uint32_t bytes)
{
	return bytes && bytes <= 8 && !(bytes & (bytes - 1));
}

static bool add_number(struct key_words *key, const struct table_plan *plan,
		       const struct peat_table_opts *opts)
{
	const struct peat_field *field = plan->value.field;
	struct peat_count_by *by = key->by;
	uint32_t offset;

	if (!(opts->values & VALUES_OF_NUMBERS))
		return true;
	if (!plan->has_value || plan->value.operand != TABLE_FIELD || !is_whole_number(field) ||
	    field->big_endian || !is_power_of_two(field->bytes))
		return false;
	offset = plan->value.base + field->offset;
	if (offset % field->bytes)
		return false;
	key->of_type = true;
	by->mode = PEAT_MODE_NUMBERS;
	by->number.offset = (unsigned short)(PEAT_TERM_ORIGIN + offset);
	by->number.width = (unsigned char)field->bytes;
	if (field->is_signed) {
		by->sign = 1ULL << (field->bytes * 8 - 1);
		by->flip = 1ULL << 63;
	}
	if (offset + field->bytes > key->bytes)
		key->bytes = offset + field->bytes;
	return true;
}

/* Numbers before the first slot of a linear histogram need it to begin at 0 or later. */
static bool add_histogram(struct peat_count_by *by, const struct peat_table_opts *opts)
{
	if (opts->values & PEAT_TABLE_LOG2)
		by->mode = PEAT_MODE_LOG2;
	if (!(opts->values & PEAT_TABLE_LINEAR))
		return true;
	by->mode = PEAT_MODE_LINEAR;
	by->first = (uint64_t)opts->linear_first;
	by->width = opts->linear_width;
	by->buckets = PEAT_TABLE_SLOTS;
	return opts->linear_first >= 0 && opts->linear_width;
}

/* Whether programs can count the events of this type. */
static bool make_count(const struct object_selection *selection, const struct table_plan *plan,
		       struct key_words *key)
{
	const struct peat_table_opts *opts = table__opts(selection->channel->opts.table);

	for (uint32_t i = 0; i < plan->key_count; i++)
		if (!add_key(key, &plan->keys[i], selection))
			return false;
	if (!add_number(key, plan, opts) || !add_histogram(key->by, opts))
		return false;
	key->by->bytes = key->bytes;
	return key->bytes <= UINT16_MAX - PEAT_TERM_ORIGIN;
}

static bool require_field(struct object_selection *selection, uint32_t id,
			  const struct table_field *from)
{
	if (from->operand != TABLE_FIELD || !from->field->presence)
		return true;
	if (!where_presence__require(&selection->terms, id, from->field, from->base))
		return false;
	selection->parts |= PEAT_SELECT_WHERE;
	return true;
}

/* Whether the programs reject the events in which a field of the table is absent. */
static bool require_fields(struct object_selection *selection, uint32_t id,
			   const struct table_plan *plan)
{
	for (uint32_t i = 0; i < plan->key_count; i++)
		if (!require_field(selection, id, &plan->keys[i]))
			return false;
	return !plan->has_value || require_field(selection, id, &plan->value);
}

/* Tables that programs of another type fill, too, if the key is the same for both. */
static bool can_share(const struct peat_channel *channel, const struct key_words *key)
{
	struct peat_count_by by = channel->cells.by;

	by.type = key->by->type;
	return !key->of_type && !memcmp(&by, key->by, sizeof(by));
}

static int open_cells(struct object_selection *selection, const struct peat_schema *schema)
{
	struct peat_channel *channel = selection->channel;
	int err;

	channel->cells.by = selection->by;
	channel->cells.schema = schema;
	channel->cells.type = selection->bound->first_type + selection->by.type;
	err = cells__open(&channel->cells, channel->cpus);
	if (!err)
		return 0;
	log__error("cannot create the tables in which programs count: %s", strerror(-err));
	cells__close(&channel->cells);
	return err;
}

static int count_type(struct object_selection *selection, uint32_t id,
		      const struct peat_schema *schema)
{
	struct peat_channel *channel = selection->channel;
	const struct table_plan *plan = table__plan(channel->opts.table, schema);
	struct peat_count_by by;
	struct key_words key = { .by = &by };
	bool counts, is_open = channel->cells.fd >= 0;
	int err;

	memset(&by, 0, sizeof(by));
	by.type = id;
	counts = plan && !(selection->parts & PEAT_SELECT_COUNT) &&
		 make_count(selection, plan, &key) && require_fields(selection, id, plan);
	cells__choose_sizes(&by);
	if (!counts || (is_open && !can_share(channel, &key))) {
		log__info("%s: counted by the reader", peat_schema__name(schema));
		return 0;
	}
	selection->by = by;
	err = is_open ? 0 : open_cells(selection, schema);
	if (err)
		return err;
	selection->parts |= PEAT_SELECT_COUNT | (key.uses_comm ? PEAT_SELECT_COMM : 0);
	log__info("%s: counted by the programs", peat_schema__name(schema));
	return 0;
}

/* ---- types ----------------------------------------------------------------------------------- */

/* The tests that are left for the reader, as they are written. */
static void append_left(struct strbuf *out, const struct where_terms *terms, const char *text)
{
	for (uint32_t i = terms->left_count; i; i--) {
		const struct where_test *test = terms->left[i - 1];

		strbuf__text(out, i == terms->left_count ? ": " : ", ");
		strbuf__bytes(out, text + test->begin, test->end - test->begin);
	}
}

static void log_part(const struct object_selection *selection, const struct peat_schema *schema,
		     enum where_part part)
{
	const char *text = where__text(selection->channel->opts.where);
	struct strbuf left = { 0 };

	append_left(&left, &selection->terms, text);
	strbuf__char(&left, '\0');
	if (part == WHERE_ALL)
		log__info("%s: the programs test all of %s", peat_schema__name(schema), text);
	else
		log__info("%s: %s of %s: the reader tests the rest%s", peat_schema__name(schema),
			  part == WHERE_PART ? "the programs test a part"
					     : "the programs test nothing",
			  text, left.failed ? "" : left.bytes);
	strbuf__free(&left);
}

/* Sets `is_whole`: the programs decide all of the expression, or there is none. */
static int test_type(struct object_selection *selection, uint32_t id,
		     const struct peat_schema *schema, bool *is_whole)
{
	struct peat_where *where = selection->channel->opts.where;
	enum where_part part;
	int err;

	*is_whole = true;
	if (!where)
		return 0;
	err = peat_where__add_type(where, schema);
	if (err < 0)
		return err;
	part = where_terms__add(&selection->terms, id, where__resolved(where, schema));
	*is_whole = part == WHERE_ALL;
	if (part != WHERE_NOTHING)
		selection->parts |= PEAT_SELECT_WHERE;
	if (selection->terms.uses_comm)
		selection->parts |= PEAT_SELECT_COMM;
	log_part(selection, schema, part);
	return 0;
}

static int select_type(struct object_selection *selection, uint32_t id)
{
	const struct peat_schema *schema =
		peat_channel__schema(selection->channel, selection->bound->first_type + id);
	struct peat_table *table = selection->channel->opts.table;
	bool is_whole;
	int err;

	if (!schema)
		return 0; /* logged: its events have no fields */
	err = test_type(selection, id, schema, &is_whole);
	if (err || !table)
		return err;
	err = peat_table__add_type(table, schema);
	if (err <= 0)
		return err;
	if (is_whole)
		return count_type(selection, id, schema);
	log__info("%s: counted by the reader", peat_schema__name(schema));
	return 0;
}

/* ---- constants ------------------------------------------------------------------------------- */

static int set_constant(struct bpf_object *object, const char *name, const void *value,
			size_t bytes)
{
	int err = globals__set(object, name, value, bytes);

	if (err)
		log__error("%s: cannot set %s: %s", bpf_object__name(object), name, strerror(-err));
	return err;
}

static int share_tables(struct peat_channel *channel, struct bpf_object *object)
{
	struct bpf_map *map = bpf_object__find_map_by_name(object, "peat_tables");
	int err = map ? bpf_map__reuse_fd(map, channel->cells.fd) : -EINVAL;

	if (err)
		log__error("%s cannot use the map peat_tables: %s%s", bpf_object__name(object),
			   strerror(-err), file_room__remedy(err));
	return err;
}

static int set_constants(const struct object_selection *selection)
{
	struct bpf_object *object = selection->bound->object;
	const struct where_terms *terms = &selection->terms;
	uint64_t parts = selection->parts;
	int err = 0;

	if (parts & PEAT_SELECT_WHERE)
		err = set_constant(object, "peat_term_types", terms->types, sizeof(terms->types))
			      ?: set_constant(object, "peat_terms", terms->terms,
					      sizeof(terms->terms));
	if (!err && parts & PEAT_SELECT_COUNT)
		err = set_constant(object, "peat_count_by", &selection->by, sizeof(selection->by))
			      ?: share_tables(selection->channel, object);
	return err ?: set_constant(object, "peat_decides", &parts, sizeof(parts));
}

static bool has_ids(struct bpf_object *object)
{
	size_t bytes;
	const uint64_t *head_bytes = globals__find(object, "peat_head_bytes", &bytes);

	return head_bytes && *head_bytes > PEAT_HEAD_ALONE;
}

/*
 * Objects that were compiled with an older peat.bpf.h, whose terms have another origin, leave all
 * to the reader.
 */
static bool can_select(struct bpf_object *object)
{
	size_t bytes;

	return globals__find(object, "peat_decides", &bytes) &&
	       globals__find(object, "peat_head_bytes", &bytes);
}

int select__set(struct peat_channel *channel, const struct bound_object *bound)
{
	const struct btf *btf = channel__btf(bound);
	struct object_selection selection = { .channel = channel, .bound = bound };
	uint32_t id;
	int err = 0;

	if (!can_select(bound->object))
		return 0;
	if (has_ids(bound->object) && sent_names__apply(channel, bound->object))
		selection.parts = PEAT_SELECT_NAMES;
	if (!channel->opts.where && !channel->opts.table)
		return selection.parts ? set_constants(&selection) : 0;
	selection.can_comm = has_ids(bound->object) &&
			     task_helpers__have(bound->object, BPF_FUNC_get_current_comm);
	where_terms__init(&selection.terms, has_ids(bound->object), selection.can_comm);
	selection.terms.has_owner = bound->has_owner;
	selection.terms.has_stacks = program_stacks__room_of(&channel->opts, bound->object);
	for (uint32_t i = 0; !err && event_types__at(btf, i, &id) > 0; i++)
		if (event_types__is_first(btf, i))
			err = select_type(&selection, id);
	return err || !selection.parts ? err : set_constants(&selection);
}
