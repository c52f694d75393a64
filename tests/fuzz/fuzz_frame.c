// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * fuzz_frame.c: peat_frame__next() on anything.
 *
 * Input: a frame.  Its events, encoded again, have to be the input except for padding; the frame's
 * position in memory must not matter.
 */
#include <stdlib.h>
#include <string.h>

#include <peat/frame.h>
#include <peat/wire.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
	if (!holds)
		abort();
}

static uint16_t read_type(const uint8_t *at)
{
	uint16_t type;

	memcpy(&type, at + offsetof(struct peat_event_head, type), sizeof(type));
	return type;
}

static uint16_t type_of(const struct peat_frame_event *event, uint16_t owner)
{
	return (uint16_t)(event->type | owner | (event->has_ids ? PEAT_EVENT_IDS : 0));
}

/* `at` NULL: the event has none. */
static void check_owner(const struct peat_frame_event *event, const uint8_t *at)
{
	struct peat_event_owner owner = { .uid = PEAT_NO_UID };

	if (at)
		memcpy(&owner, at, sizeof(owner));
	require(event->has_owner == (owner.uid != PEAT_NO_UID));
	require(event->uid == (event->has_owner ? owner.uid : 0));
	require(event->cgroup == (event->has_owner ? owner.cgroup : 0));
}

/* Encodes the event's head as a program does, and compares it with the bytes before its payload. */
static void check_event(const struct peat_frame *frame, const struct peat_frame_event *event,
			const uint8_t *at, const uint8_t *end)
{
	uint16_t owner = read_type(at) & PEAT_EVENT_OWNER, type = type_of(event, owner);
	size_t owner_bytes = owner ? sizeof(struct peat_event_owner) : 0;
	uint32_t delta_ns = (uint32_t)(event->time_ns - frame->time_ns);
	struct peat_event_head head = { (uint16_t)event->size, type, delta_ns };
	struct peat_event_ids ids = { event->tgid, event->tid };
	const uint8_t *payload = event->data;

	require(event->type <= PEAT_EVENT_TYPE);
	require(event->seq == frame->seq + frame->taken - 1);
	require(event->has_ids || !owner);
	require(payload == at + sizeof(head) + owner_bytes + (event->has_ids ? sizeof(ids) : 0));
	require(payload <= end && event->size <= (size_t)(end - payload));
	require(!memcmp(at, &head, sizeof(head)));
	require(event->has_ids ? !memcmp(payload - sizeof(ids), &ids, sizeof(ids))
			       : !event->tgid && !event->tid);
	check_owner(event, owner ? at + sizeof(head) : NULL);
}

/* The name record after the event, which was at `at`. */
static const uint8_t *check_name(const struct peat_frame_event *event, const uint8_t *at,
				 const uint8_t *end)
{
	const struct peat_task_name head = { .size = PEAT_COMM_BYTES, .type = PEAT_TASK_NAME };

	if (!event->comm)
		return at;
	require((size_t)(end - at) >= sizeof(head));
	require(!memcmp(at, &head, 2 * sizeof(uint16_t)));
	require(event->comm == (const char *)at + offsetof(struct peat_task_name, comm));
	require(strnlen(event->comm, PEAT_COMM_BYTES) < PEAT_COMM_BYTES);
	return at + sizeof(head);
}

/* Every byte of an event can be read. */
static uint32_t sum(const struct peat_frame_event *event)
{
	const uint8_t *payload = event->data;
	uint32_t total = 0;

	for (uint32_t i = 0; i < event->size; i++)
		total = total * 31 + payload[i];
	return total;
}

/* Decodes the frame to its end and returns a digest, which includes the last result. */
static uint32_t walk(const uint8_t *bytes, size_t len)
{
	const uint8_t *at = bytes + PEAT_FRAME_HEAD_BYTES, *end = bytes + len;
	struct peat_frame_event event = { .sz = sizeof(event) };
	struct peat_frame frame = { .sz = sizeof(frame) };
	uint32_t digest = 0;
	int answer;

	memset(&frame, 0xa5, sizeof(frame));
	frame.sz = sizeof(frame);
	if (peat_frame__open(&frame, bytes, len)) {
		require(peat_frame__next(&frame, &event) < 0);
		return 1;
	}
	while ((answer = peat_frame__next(&frame, &event)) > 0) {
		require(frame.taken <= frame.count);
		check_event(&frame, &event, at, end);
		digest = digest * 33 + sum(&event);
		at = (const uint8_t *)event.data + event.size;
		while ((at - bytes - PEAT_FRAME_HEAD_BYTES) % 8 && at < end)
			at++;
		at = check_name(&event, at, end);
	}
	require(answer || (frame.taken == frame.count && end - at < 8));
	require(peat_frame__next(&frame, &event) == answer);
	return digest * 33 + (uint32_t)answer + frame.taken;
}

/* In memory of exactly its size: the sanitizer detects reads past it. */
static uint32_t walk_at(size_t offset, const uint8_t *data, size_t size)
{
	uint8_t *memory = malloc(offset + size);
	uint32_t digest;

	require(memory != NULL);
	memcpy(memory + offset, data, size);
	digest = walk(memory + offset, size);
	free(memory);
	return digest;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	require(walk_at(4, data, size) == walk_at(1, data, size));
	return 0;
}
