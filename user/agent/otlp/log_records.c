// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* otlp/log_records.c: appends the events of a batch as log records. */
#include <peat/identity.h>
#include <peat/peat.h>
#include <peat/stack.h>

#include "field/appended.h"
#include "field/fields.h"
#include "otlp/attribute.h"
#include "otlp/envelope.h"
#include "otlp/log_records.h"

/* Field numbers of LogRecord. */
enum {
	TIME = 1,
	SEVERITY_NUMBER = 2,
	ATTRIBUTES = 6,
	OBSERVED_TIME = 11,
	EVENT_NAME = 12,
};

enum severity { SEVERITY_INFO = 9, SEVERITY_WARN = 13 };

#define FRAMES_MAX 1024

/* ---- attributes ------------------------------------------------------------------------------ */

/* Servers older than OTLP 1.5 skip the field, and know the attribute. */
static void append_event_name(struct strbuf *out, const char *type)
{
	struct protobuf_mark mark = protobuf__begin(out, EVENT_NAME, 1);

	strbuf__text(out, "peat.");
	strbuf__text(out, type);
	protobuf__end(out, mark);
	otlp_attribute__event_name(out, ATTRIBUTES, type);
}

/*
 * A comm is the name of a thread.  process.executable.name would be the name of a file, which is
 * not cut to 15 characters.  Attributes of the process's container belong here, too.
 */
static void append_name(struct strbuf *out, const char *key, const char *name)
{
	if (name && *name)
		otlp_attribute__text(out, ATTRIBUTES, key, name);
}

/* "NAMESPACE/NAME" of a pod are two attributes. */
static void append_pod_name(struct strbuf *out, const char *pod)
{
	char namespace[sizeof(((struct peat_identity *)0)->pod_name)];
	const char *slash = strchr(pod, '/');

	if (!slash) {
		append_name(out, "k8s.pod.name", pod);
		return;
	}
	memcpy(namespace, pod, (size_t)(slash - pod));
	namespace[slash - pod] = '\0';
	append_name(out, "k8s.namespace.name", namespace);
	append_name(out, "k8s.pod.name", slash + 1);
}

static void append_identity(struct strbuf *out, const struct peat_identity *identity)
{
	append_name(out, "container.id", identity->container);
	append_name(out, "container.name", identity->container_name);
	append_name(out, "container.runtime", identity->runtime);
	append_name(out, "k8s.pod.uid", identity->pod);
	append_pod_name(out, identity->pod_name);
	append_name(out, "systemd.unit", identity->unit);
}

static void append_task(struct strbuf *out, const struct peat_event *event)
{
	if (event->pid != PEAT_NO_TASK)
		otlp_attribute__unsigned(out, ATTRIBUTES, "process.pid", event->pid);
	if (event->tid != PEAT_NO_TASK)
		otlp_attribute__unsigned(out, ATTRIBUTES, "thread.id", event->tid);
	if (event->comm)
		otlp_attribute__text(out, ATTRIBUTES, "thread.name", event->comm);
	if (!event->has_owner)
		return;
	otlp_attribute__unsigned(out, ATTRIBUTES, "process.real_user.id", event->uid);
	otlp_attribute__unsigned(out, ATTRIBUTES, "peat.cgroup.id", event->cgroup);
	if (event->nspid)
		otlp_attribute__unsigned(out, ATTRIBUTES, "process.vpid", event->nspid);
	if (event->identity)
		append_identity(out, event->identity);
}

static bool has_failed(const struct peat_field *field, const void *data, uint32_t bytes)
{
	uint64_t number;

	return field_type__of(field)->is_error_below_0 &&
	       peat_field__number(field, data, bytes, &number) && (int64_t)number < 0 &&
	       !fields__is_unknown(field, number);
}

static enum severity append_fields(struct strbuf *out, const struct peat_event *event)
{
	const struct peat_field *end = fields__end(event->schema);
	enum severity severity = SEVERITY_INFO;

	for (const struct peat_field *field = event->schema->fields; field < end;
	     field += field->span) {
		otlp_attribute__field(out, ATTRIBUTES, field, event->data, event->size);
		if (has_failed(field, event->data, event->size))
			severity = SEVERITY_WARN;
	}
	return severity;
}

static void append_appended(struct strbuf *out, const struct peat_event *event)
{
	const struct peat_schema *schema = event->schema;

	if (appended__has(schema, event->size))
		otlp_attribute__bytes(out, ATTRIBUTES, schema->appended.name,
				      (const char *)event->data + schema->bytes,
				      event->size - schema->bytes);
}

/* User frames are addresses: only the process's files name them. */
static void append_stack(struct strbuf *out, const struct peat_event *event)
{
	struct peat_address addresses[FRAMES_MAX];
	struct otlp_frames frames;
	uint32_t count;

	if (!event->schema || !fields__stack(event->schema))
		return;
	count = peat_event__addresses(event, addresses, FRAMES_MAX);
	if (!count)
		return;
	frames = otlp_attribute__begin_frames(out, ATTRIBUTES, "stack");
	for (uint32_t i = 0; i < count && i < FRAMES_MAX; i++)
		if (addresses[i].space == PEAT_SPACE_KERNEL)
			otlp_attribute__kernel_frame(out, addresses[i].address);
		else
			otlp_attribute__user_frame(out, addresses[i].address);
	otlp_attribute__end_frames(out, frames);
}

/* ---- records --------------------------------------------------------------------------------- */

static enum severity append_lost(struct strbuf *out, const struct peat_event *event)
{
	const char *cause = peat_lost_cause__name(event->cause);

	append_event_name(out, "lost");
	otlp_attribute__unsigned(out, ATTRIBUTES, "peat.lost.count", event->lost);
	if (cause && event->cause != PEAT_LOST_UNKNOWN)
		otlp_attribute__text(out, ATTRIBUTES, "peat.lost.cause", cause);
	return SEVERITY_WARN;
}

static enum severity append_typed(struct strbuf *out, const struct peat_event *event)
{
	enum severity severity;

	append_event_name(out, event->schema->name);
	severity = append_fields(out, event);
	append_appended(out, event);
	append_stack(out, event);
	return severity;
}

/* Bytes of an unknown type, and records whose kind has no type. */
static enum severity append_raw(struct strbuf *out, const struct peat_event *event)
{
	append_event_name(out, event->kind == PEAT_EVENT_RECORD ? "record" : "raw");
	if (event->map)
		otlp_attribute__text(out, ATTRIBUTES, "peat.map", event->map);
	if (event->size)
		otlp_attribute__bytes(out, ATTRIBUTES, "peat.data", event->data, event->size);
	return SEVERITY_INFO;
}

static enum severity append_by_kind(struct strbuf *out, const struct peat_event *event)
{
	if (event->kind == PEAT_EVENT_LOST)
		return append_lost(out, event);
	append_task(out, event);
	return event->schema ? append_typed(out, event) : append_raw(out, event);
}

static void append_log_record(struct strbuf *out, const struct peat_event *event,
			      int64_t wall_clock_ns, uint64_t now_ns)
{
	struct protobuf_mark record = protobuf__begin(out, OTLP_SCOPE_ENTRIES, 2);

	if (event->time_ns)
		protobuf__fixed64(out, TIME, event->time_ns + (uint64_t)wall_clock_ns);
	protobuf__fixed64(out, OBSERVED_TIME, now_ns);
	if (event->cpu != PEAT_NO_CPU)
		otlp_attribute__unsigned(out, ATTRIBUTES, "cpu.logical_number", event->cpu);
	protobuf__varint(out, SEVERITY_NUMBER, append_by_kind(out, event));
	protobuf__end(out, record);
}

uint64_t otlp_log_records__append(struct strbuf *out, const struct strbuf *resource,
				  const struct peat_batch *batch, uint64_t now_ns)
{
	struct otlp_envelope envelope = otlp_envelope__begin(out, resource, batch);
	struct peat_batch_cursor at = PEAT_BATCH_START;
	struct peat_event event;
	uint64_t count = 0;

	while (peat_batch__next(batch, &at, &event)) {
		if (event.kind == PEAT_EVENT_TOOL)
			continue;
		append_log_record(out, &event, peat_batch__wall_clock(batch), now_ns);
		count++;
	}
	otlp_envelope__end(out, envelope);
	return count;
}
