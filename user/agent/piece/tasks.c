// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* piece/tasks.c: writes the names, owners and identities of tasks before their events. */
#include <errno.h>

#include <peat/identity.h>

#include "perf_data/note.h"
#include "piece/preamble.h"
#include "piece/tasks.h"
#include "piece/wire.h"
#include "record/encode.h"

/* Names are short; longer ones, of other recordings, are in notes. */
#define COMM_MOST 256

/* The number of an identity that is written. */
struct written {
	struct hash_link link; /* by its address in the batch */
	const struct peat_identity *identity;
	uint32_t number;
};

static struct piece_task *add_task(struct piece_tasks *tasks, uint64_t key)
{
	struct piece_task *task = arena__take(&tasks->memory, sizeof(*task));

	if (!task)
		return NULL;
	*task = (struct piece_task){ .key = key };
	return hash__add(&tasks->tasks, &task->link, hash__number(key)) ? NULL : task;
}

/* ---- identities ------------------------------------------------------------------------------ */

static int put_note(struct piece_tasks *tasks, uint32_t kind, struct strbuf *out)
{
	return tasks->note.failed ? -ENOMEM
				  : note__put(out, kind, tasks->note.bytes, tasks->note.count);
}

static int write_identity(struct piece_tasks *tasks, const struct peat_event *event,
			  const struct peat_layout *side, struct strbuf *out)
{
	const struct peat_identity *identity = event->identity;
	const struct peat_record record = {
		.type = PEAT_RECORD_CGROUP,
		.id = PREAMBLE_SIDE_ID,
		.cgroup = { .id = event->cgroup, .path = identity->path },
	};
	int err = 0;

	tasks->note.count = 0;
	wire__put_text(&tasks->note, identity->runtime);
	wire__put_text(&tasks->note, identity->container);
	wire__put_text(&tasks->note, identity->pod);
	wire__put_text(&tasks->note, identity->unit);
	wire__put_text(&tasks->note, identity->container_name);
	wire__put_text(&tasks->note, identity->pod_name);
	wire__put_text(&tasks->note, identity->path);
	if (identity->path && *identity->path)
		err = encode__record(out, side, &record);
	return err ?: put_note(tasks, NOTE_IDENTITY, out);
}

static int add_identity(struct piece_tasks *tasks, const struct peat_identity *identity,
			uint32_t *number)
{
	struct written *written = arena__take(&tasks->memory, sizeof(*written));

	if (!written)
		return -ENOMEM;
	*written = (struct written){ .identity = identity, .number = ++tasks->identity_count };
	*number = written->number;
	return hash__add(&tasks->identities, &written->link, hash__number((uintptr_t)identity));
}

/* *number: from 1; 0: the event has none. */
static int put_identity(struct piece_tasks *tasks, const struct peat_event *event,
			const struct peat_layout *side, struct strbuf *out, uint32_t *number)
{
	struct hash_link *link;
	int err;

	*number = 0;
	if (!event->identity)
		return 0;
	link = hash__first(&tasks->identities, hash__number((uintptr_t)event->identity));
	if (link) {
		*number = HASH_ENTRY(link, struct written, link)->number;
		return 0;
	}
	if (tasks->identity_count == WIRE_IDENTITIES_MAX)
		return -E2BIG;
	err = write_identity(tasks, event, side, out);
	return err ?: add_identity(tasks, event->identity, number);
}

/* ---- tasks ----------------------------------------------------------------------------------- */

static bool has_name(const struct piece_task *task, const char *comm)
{
	return task->comm == comm || (task->comm && comm && !strcmp(task->comm, comm));
}

static bool has_owner(const struct piece_task *task, const struct peat_event *event)
{
	return task->has_owner == event->has_owner && task->uid == event->uid &&
	       task->cgroup == event->cgroup && task->identity == event->identity &&
	       task->nspid == event->nspid && task->nstid == event->nstid;
}

static int put_comm(const struct peat_event *event, const struct peat_layout *side,
		    struct strbuf *out)
{
	const struct peat_record record = {
		.type = PEAT_RECORD_COMM,
		.time_ns = event->time_ns,
		.cpu = event->cpu,
		.pid = event->pid,
		.tid = event->tid,
		.id = PREAMBLE_SIDE_ID,
		.comm = { .pid = event->pid, .tid = event->tid, .comm = event->comm },
	};

	return encode__record(out, side, &record);
}

static int put_task(struct piece_tasks *tasks, const struct peat_event *event,
		    const struct peat_layout *side, bool sets_name, struct strbuf *out)
{
	uint32_t number;
	int err = put_identity(tasks, event, side, out, &number);

	tasks->note.count = 0;
	store_u32(&tasks->note, event->tid);
	store_u32(&tasks->note, event->cpu);
	store_u32(&tasks->note, (event->has_owner ? WIRE_TASK_HAS_OWNER : 0u) |
					(sets_name ? WIRE_TASK_SETS_NAME : 0u));
	store_u32(&tasks->note, event->uid);
	store_u32(&tasks->note, event->nspid);
	store_u32(&tasks->note, event->nstid);
	store_u64(&tasks->note, event->cgroup);
	store_u32(&tasks->note, number);
	wire__put_text(&tasks->note, sets_name ? event->comm : NULL);
	return err ?: put_note(tasks, NOTE_TASK, out);
}

static int put_changes(struct piece_tasks *tasks, struct piece_task *task,
		       const struct peat_event *event, const struct peat_layout *side,
		       struct strbuf *out)
{
	bool is_named = has_name(task, event->comm), is_owned = has_owner(task, event);
	bool by_record = !is_named && event->comm && tasks__has_comm(event->tid) &&
			 strlen(event->comm) < COMM_MOST;
	int err = by_record ? put_comm(event, side, out) : 0;

	if (!err && (!is_owned || (!is_named && !by_record)))
		err = put_task(tasks, event, side, !is_named && !by_record, out);
	task->comm = event->comm;
	task->has_owner = event->has_owner;
	task->uid = event->uid;
	task->nspid = event->nspid;
	task->nstid = event->nstid;
	task->cgroup = event->cgroup;
	task->identity = event->identity;
	return err;
}

int piece_tasks__put(struct piece_tasks *tasks, const struct peat_event *event,
		     const struct peat_layout *side, struct strbuf *out)
{
	uint64_t key = tasks__key(event->tid, event->cpu);
	struct piece_task *task = tasks->last;

	if (!task || task->key != key)
		task = tasks__find(&tasks->tasks, key) ?: add_task(tasks, key);
	if (!task)
		return -ENOMEM;
	tasks->last = task;
	if (has_name(task, event->comm) && has_owner(task, event))
		return 0;
	return put_changes(tasks, task, event, side, out);
}

void piece_tasks__clear(struct piece_tasks *tasks)
{
	if (tasks->note.failed)
		strbuf__free(&tasks->note);
	hash__free(&tasks->tasks);
	hash__free(&tasks->identities);
	arena__free(&tasks->memory);
	tasks->last = NULL;
	tasks->identity_count = 0;
}

void piece_tasks__free(struct piece_tasks *tasks)
{
	piece_tasks__clear(tasks);
	strbuf__free(&tasks->note);
}
