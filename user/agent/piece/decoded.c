// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* piece/decoded.c: reads the types, tasks and identities of a piece. */
#include <errno.h>
#include <stdlib.h>

#include <peat/identity.h>

#include "base/array.h"
#include "field/fields.h"
#include "piece/decoded.h"
#include "piece/wire.h"
#include "schema/schema_bytes.h"

/* The memory of a schema is at most so many times its bytes. */
#define SCHEMA_FACTOR 8

void decoded__free(void *arg)
{
	struct decoded *decoded = arg;

	if (!decoded)
		return;
	for (uint32_t i = 0; i < decoded->type_count; i++)
		peat_schema__free(decoded->types[i].schema);
	free(decoded->types);
	free(decoded->identities);
	strbuf__free(&decoded->part);
	hash__free(&decoded->tasks);
	arena__free(&decoded->memory);
	free(decoded->host);
	free(decoded);
}

int decoded__charge(struct decoded *decoded, uint64_t bytes)
{
	if (bytes > decoded->left)
		return -E2BIG;
	decoded->left -= bytes;
	return 0;
}

static struct cursor begin(const struct note *note)
{
	static const struct peat_layout layout;
	struct cursor cur;

	cursor__init(&cur, note->bytes, note->bytes + note->count, &layout);
	return cur;
}

/* A copy in the memory; NULL stays NULL.  0, -E2BIG or -ENOMEM. */
static int copy_text(struct decoded *decoded, const char *text, const char **copy)
{
	size_t bytes = text ? strlen(text) : 0;
	int err = decoded__charge(decoded, bytes);

	*copy = NULL;
	if (err || !text)
		return err;
	*copy = arena__copy(&decoded->memory, text, bytes);
	return *copy ? 0 : -ENOMEM;
}

/* ---- types ----------------------------------------------------------------------------------- */

static int make_schema(struct decoded *decoded, struct decoded_type *type)
{
	int err;

	type->is_whole = true;
	if (!type->schema_bytes)
		return 0;
	err = decoded__charge(decoded, (uint64_t)type->schema_bytes * SCHEMA_FACTOR);
	if (err)
		return err;
	type->schema = schema_bytes__read(decoded->part.bytes, decoded->part.count);
	if (!type->schema)
		return -errno;
	type->schema->is_recorded = !decoded->is_of_this_boot;
	return 0;
}

/* The notes of a type follow each other: the first has all but the rest of the schema. */
static int add_type(struct decoded *decoded, const struct decoded_type *type, const char *map)
{
	struct decoded_type *added;

	if (decoded->type_count && !decoded->types[decoded->type_count - 1].is_whole)
		return -EBADMSG;
	if (decoded->type_count == WIRE_TYPES_MAX)
		return -E2BIG;
	if (!ARRAY_RESERVE_NEXT(decoded->types, decoded->type_count))
		return -ENOMEM;
	added = &decoded->types[decoded->type_count++];
	*added = *type;
	decoded->part.count = 0;
	return copy_text(decoded, map, &added->map);
}

int decoded__read_type(struct decoded *decoded, const struct note *note)
{
	struct cursor cur = begin(note);
	struct decoded_type type = { 0 }, *last;
	uint32_t id = cursor__u32(&cur), kind, flags, at;
	const char *map;
	int err = 0;

	type.type = cursor__u32(&cur);
	kind = cursor__u32(&cur);
	type.kind = kind;
	flags = cursor__u32(&cur);
	type.has_owner = flags & WIRE_TYPE_HAS_OWNER;
	type.schema_bytes = cursor__u32(&cur);
	at = cursor__u32(&cur);
	map = wire__read_text(&cur);
	if (cur.bad || kind > PEAT_EVENT_TOOL || kind == PEAT_EVENT_LOST || !id ||
	    id != decoded->type_count + !at)
		return -EBADMSG;
	if (!at)
		err = add_type(decoded, &type, map);
	if (err)
		return err;
	last = &decoded->types[decoded->type_count - 1];
	if (last->is_whole || at != decoded->part.count || last->schema_bytes < at ||
	    cursor__left(&cur) > last->schema_bytes - at ||
	    (!cursor__left(&cur) && last->schema_bytes))
		return -EBADMSG;
	strbuf__bytes(&decoded->part, cur.at, cursor__left(&cur));
	if (decoded->part.failed)
		return -ENOMEM;
	return decoded->part.count == last->schema_bytes ? make_schema(decoded, last) : 0;
}

const struct decoded_type *decoded__type(const struct decoded *decoded, uint64_t id)
{
	const struct decoded_type *type =
		id && id <= decoded->type_count ? &decoded->types[id - 1] : NULL;

	return type && type->is_whole ? type : NULL;
}

/* ---- identities ------------------------------------------------------------------------------ */

/* The text of an array; longer ones are damaged. */
static void read_part(struct cursor *cur, char *part, size_t room)
{
	const char *text = wire__read_text(cur);

	if (!text || strlen(text) >= room)
		cursor__fail(cur);
	else
		strcpy(part, text);
}

static int read_identity(struct decoded *decoded, struct cursor *cur,
			 struct peat_identity *identity)
{
	const char *runtime = wire__read_text(cur), *path;
	int err;

	identity->sz = sizeof(*identity);
	read_part(cur, identity->container, sizeof(identity->container));
	read_part(cur, identity->pod, sizeof(identity->pod));
	read_part(cur, identity->unit, sizeof(identity->unit));
	read_part(cur, identity->container_name, sizeof(identity->container_name));
	read_part(cur, identity->pod_name, sizeof(identity->pod_name));
	path = wire__read_text(cur);
	if (cur->bad)
		return -EBADMSG;
	err = copy_text(decoded, runtime, &identity->runtime);
	return err ?: copy_text(decoded, path, &identity->path);
}

/* Each batch that has events of the identity copies it once more. */
int decoded__read_identity(struct decoded *decoded, const struct note *note)
{
	struct cursor cur = begin(note);
	struct peat_identity *identity;
	int err = decoded__charge(decoded, 2 * sizeof(*identity) + note->count);

	if (err)
		return err;
	if (decoded->identity_count == WIRE_IDENTITIES_MAX)
		return -E2BIG;
	identity = arena__take(&decoded->memory, sizeof(*identity));
	if (!identity || !ARRAY_RESERVE_NEXT(decoded->identities, decoded->identity_count))
		return -ENOMEM;
	*identity = (struct peat_identity){ 0 };
	decoded->identities[decoded->identity_count++] = identity;
	return read_identity(decoded, &cur, identity);
}

/* ---- tasks ----------------------------------------------------------------------------------- */

static struct piece_task *find_task(struct decoded *decoded, uint64_t key)
{
	struct piece_task *task = decoded->last;

	if (!task || task->key != key)
		task = tasks__find(&decoded->tasks, key);
	if (task)
		decoded->last = task;
	return task;
}

/* Different keys have different codes: a stranger cannot make them collide beyond the buckets. */
static int take_task(struct decoded *decoded, uint32_t tid, uint32_t cpu, struct piece_task **task)
{
	uint64_t key = tasks__key(tid, cpu);
	int err;

	*task = find_task(decoded, key);
	if (*task)
		return 0;
	err = decoded__charge(decoded, sizeof(**task));
	if (err)
		return err;
	*task = arena__take(&decoded->memory, sizeof(**task));
	if (!*task)
		return -ENOMEM;
	**task = (struct piece_task){ .key = key };
	return hash__add(&decoded->tasks, &(*task)->link, hash__number(key));
}

int decoded__name_task(struct decoded *decoded, uint32_t tid, uint32_t cpu, const char *comm)
{
	struct piece_task *task;
	int err = take_task(decoded, tid, cpu, &task);

	return err ?: copy_text(decoded, comm, &task->comm);
}

int decoded__read_task(struct decoded *decoded, const struct note *note)
{
	struct cursor cur = begin(note);
	uint32_t tid = cursor__u32(&cur), cpu = cursor__u32(&cur), flags = cursor__u32(&cur);
	uint32_t uid = cursor__u32(&cur), nspid = cursor__u32(&cur), nstid = cursor__u32(&cur);
	uint64_t cgroup = cursor__u64(&cur);
	struct piece_task *task;
	const char *comm;
	uint32_t identity;
	int err;

	identity = cursor__u32(&cur);
	comm = wire__read_text(&cur);
	if (cur.bad || cursor__left(&cur) || identity > decoded->identity_count)
		return -EBADMSG;
	err = take_task(decoded, tid, cpu, &task);
	if (err)
		return err;
	task->has_owner = flags & WIRE_TASK_HAS_OWNER;
	task->uid = uid;
	task->nspid = nspid;
	task->nstid = nstid;
	task->cgroup = cgroup;
	task->identity = identity ? decoded->identities[identity - 1] : NULL;
	return flags & WIRE_TASK_SETS_NAME ? copy_text(decoded, comm, &task->comm) : 0;
}

void decoded__set_task(struct decoded *decoded, struct peat_event *event)
{
	const struct piece_task *task = find_task(decoded, tasks__key(event->tid, event->cpu));

	if (!task)
		return;
	event->comm = task->comm;
	event->has_owner = task->has_owner;
	event->uid = task->uid;
	event->nspid = task->nspid;
	event->nstid = task->nstid;
	event->cgroup = task->cgroup;
	event->identity = task->identity;
}
