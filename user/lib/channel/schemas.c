// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* channel/schemas.c: finds the types of events, and makes their schemas when they are needed. */
#include <stdlib.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include <peat/binding.h>

#include "base/errors.h"
#include "channel/channel.h"
#include "channel/stack_map.h"
#include "field/fields.h"
#include "field/sampled.h"
#include "schema/event_types.h"
#include "schema/plan.h"

/* Stands for a schema that could not be made, so that the error is logged once. */
static struct peat_schema no_schema;

/* ---- types ----------------------------------------------------------------------------------- */

static struct bound_object *find_bound(const struct peat_channel *channel, uint32_t type)
{
	for (size_t i = 0; i < channel->bound_count; i++)
		if (type - channel->bound[i].first_type < channel->bound[i].types)
			return &channel->bound[i];
	return fail_null(-ENOENT);
}

struct bpf_object *peat_channel__type(const struct peat_channel *channel, uint32_t type,
				      uint32_t *btf_id)
{
	const struct bound_object *bound = find_bound(channel, type);

	if (!bound)
		return NULL;
	if (btf_id)
		*btf_id = type - bound->first_type;
	return bound->object;
}

const char *peat_channel__type_name(const struct peat_channel *channel, uint32_t type)
{
	const struct bound_object *bound = find_bound(channel, type);
	const struct btf *btf = bound ? channel__btf(bound) : NULL;
	const struct btf_type *found = btf ? btf__type_by_id(btf, type - bound->first_type) : NULL;

	return found ? btf__name_by_offset(btf, found->name_off) : fail_null(-ENOENT);
}

bool channel__type_at(const struct peat_channel *channel, uint32_t i, uint32_t *type)
{
	for (size_t at = 0; at < channel->bound_count; at++) {
		const struct bound_object *bound = &channel->bound[at];
		const struct btf *btf = channel__btf(bound);
		uint32_t id;

		for (uint32_t note = 0; event_types__at(btf, note, &id) > 0; note++) {
			if (!event_types__is_first(btf, note) || i--)
				continue;
			*type = bound->first_type + id;
			return true;
		}
	}
	return false;
}

/* ---- schemas --------------------------------------------------------------------------------- */

/* The map of stacks has no fd before the object is loaded. */
static void set_stacks(const struct bound_object *bound, struct peat_schema *schema)
{
	const struct bpf_map *stacks = stack_map__find(bound->object);

	schema->stacks_fd = stacks ? bpf_map__fd(stacks) : -1;
	schema->stack_max = stacks ? bpf_map__value_size(stacks) / 8 : 0;
}

static struct peat_schema *make_schema(const struct bound_object *bound, uint32_t id)
{
	struct peat_schema *schema;

	schema = bound->object
			 ? btf_schema__new(bpf_object__btf(bound->object), id, -1, 0)
			 : btf_schema__new(bound->btf, id, bound->stacks_fd, bound->stack_depth);
	if (!schema)
		return NULL;
	if (bound->object)
		set_stacks(bound, schema);
	schema->sampled = bound->has_owner ? SAMPLED_OWNER : 0;
	return schema;
}

void channel__find_stacks(struct peat_channel *channel)
{
	for (size_t i = 0; i < channel->bound_count; i++) {
		const struct bound_object *bound = &channel->bound[i];

		for (uint32_t id = 0; bound->object && id < bound->types; id++)
			if (bound->schemas[id] && bound->schemas[id] != &no_schema)
				set_stacks(bound, bound->schemas[id]);
	}
}

const struct peat_schema *peat_channel__schema(const struct peat_channel *channel, uint32_t type)
{
	struct bound_object *bound = find_bound(channel, type);
	struct peat_schema **schema;

	if (!bound)
		return NULL;
	schema = &bound->schemas[type - bound->first_type];
	if (!*schema)
		*schema = make_schema(bound, type - bound->first_type);
	if (!*schema)
		*schema = &no_schema;
	return *schema == &no_schema ? fail_null(-EBADMSG) : *schema;
}

/* ---- the end --------------------------------------------------------------------------------- */

static bool is_made(const struct peat_schema *schema)
{
	return schema && schema != &no_schema;
}

static size_t count_schemas(const struct peat_channel *channel)
{
	size_t count = 0;

	for (size_t i = 0; i < channel->bound_count; i++)
		for (uint32_t id = 0; id < channel->bound[i].types; id++)
			count += is_made(channel->bound[i].schemas[id]);
	return count;
}

/* Frames of stacks with numbers are in a map of the channel's objects. */
static bool needs_map(const struct peat_channel *channel)
{
	for (size_t i = 0; i < channel->bound_count; i++) {
		const struct bound_object *bound = &channel->bound[i];

		if (bound->stacks_fd >= 0 || (bound->object && stack_map__find(bound->object)))
			return true;
	}
	return false;
}

struct peat_schema **channel__take_schemas(struct peat_channel *channel)
{
	struct peat_schema **taken;
	size_t count = 0;

	if (needs_map(channel))
		return fail_null(-EBUSY);
	taken = calloc(count_schemas(channel) + 1, sizeof(*taken));
	if (!taken)
		return fail_null(-ENOMEM);
	for (size_t i = 0; i < channel->bound_count; i++) {
		struct bound_object *bound = &channel->bound[i];

		for (uint32_t id = 0; id < bound->types; id++)
			if (is_made(bound->schemas[id])) {
				taken[count++] = bound->schemas[id];
				bound->schemas[id] = NULL;
			}
	}
	return taken;
}

void channel__free_schemas(struct bound_object *bound)
{
	for (uint32_t id = 0; id < bound->types; id++)
		if (is_made(bound->schemas[id]))
			peat_schema__free(bound->schemas[id]);
	free(bound->schemas);
}
