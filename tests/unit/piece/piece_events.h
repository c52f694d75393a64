/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* piece_events.h: batches with all sorts of events and points, and their lines of JSON. */
#ifndef TESTS_UNIT_PIECE_PIECE_EVENTS_H
#define TESTS_UNIT_PIECE_PIECE_EVENTS_H

#include <math.h>
#include <stdio.h>
#include <bpf/btf.h>

#include <peat/identity.h>
#include <peat/sink.h>

#include "field/fields.h"
#include "piece/piece.h"
#include "unit/suite.h"

#define RUN   UINT64_C(1764400000000000000)
#define CLOCK INT64_C(1764300000000000000)

/* The origin of a batch whose first event has this number. */
#define ORIGIN(number_)                                                                            \
	(&(const struct peat_origin){ .sz = sizeof(struct peat_origin),                            \
				      .run = RUN,                                                  \
				      .number = (number_),                                         \
				      .first = (number_) })

struct exec {
	uint64_t duration_ns;
	uint32_t ppid;
	uint8_t address[4];
	char file[40];
};

/* The schema of struct exec, with a duration, an address, and a string. */
static inline struct peat_schema *exec_schema(const char *name)
{
	struct btf *btf = btf__new_empty();
	int u8, u32, u64, letter, duration, index, address, file, id;
	struct peat_schema *schema;

	ck_assert_ptr_nonnull(btf);
	u8 = btf__add_int(btf, "unsigned char", 1, 0);
	u32 = btf__add_int(btf, "unsigned int", 4, 0);
	u64 = btf__add_int(btf, "unsigned long long", 8, 0);
	letter = btf__add_int(btf, "char", 1, BTF_INT_SIGNED);
	duration = btf__add_typedef(btf, "peat_duration_t", u64);
	index = u32;
	address = btf__add_array(btf, index, u8, 4);
	file = btf__add_array(btf, index, letter, 40);
	id = btf__add_struct(btf, name, sizeof(struct exec));
	ck_assert_int_gt(id, 0);
	ck_assert(!btf__add_field(btf, "duration", duration, 0, 0));
	ck_assert(!btf__add_field(btf, "ppid", u32, 64, 0));
	ck_assert(!btf__add_field(btf, "address", address, 96, 0));
	ck_assert(!btf__add_field(btf, "file", file, 128, 0));
	ck_assert_int_gt(btf__add_decl_tag(btf, "peat:as:ipv4", id, 2), 0);
	ck_assert_int_gt(btf__add_decl_tag(btf, "peat:doc:the program", id, 3), 0);
	schema = peat_schema__new(btf, (uint32_t)id);
	ck_assert_ptr_nonnull(schema);
	btf__free(btf);
	return schema;
}

static inline struct peat_batch *new_batch(const char *source)
{
	const struct peat_batch_opts opts = {
		.sz = sizeof(opts), .source = source, .bytes = 64 << 20, .wall_clock_ns = CLOCK
	};
	struct peat_batch *batch = peat_batch__new(&opts);

	ck_assert_ptr_nonnull(batch);
	return batch;
}

/* An event of task 100 + i % 5, and of a CPU. */
static inline struct peat_event exec_event(const struct peat_schema *schema, struct exec *data,
					   uint32_t i)
{
	*data = (struct exec){ .duration_ns = i * UINT64_C(1000007),
			       .ppid = i,
			       .address = { 192, 0, 2, (uint8_t)i } };
	snprintf(data->file, sizeof(data->file), "/usr/bin/tool-%u", i);
	return (struct peat_event){ .kind = PEAT_EVENT_DATA,
				    .cpu = i % 4,
				    .time_ns = 1000000 + i * UINT64_C(1500),
				    .pid = 100 + i % 5,
				    .tid = 100 + i % 5,
				    .type = 3,
				    .size = sizeof(*data),
				    .data = data,
				    .schema = schema,
				    .comm = i % 7 ? "bash" : "dash" };
}

static inline void add_event(struct peat_batch *batch, const struct peat_event *event)
{
	ck_assert_int_eq(peat_batch__add(batch, event), 0);
}

static inline void add_execs(struct peat_batch *batch, const struct peat_schema *schema,
			     uint32_t count)
{
	struct exec data;

	for (uint32_t i = 0; i < count; i++) {
		struct peat_event event = exec_event(schema, &data, i);

		add_event(batch, &event);
	}
}

/* All members that a batch keeps. */
static inline void check_same_event(const struct peat_event *one, const struct peat_event *other)
{
	ck_assert_int_eq(one->kind, other->kind);
	ck_assert_uint_eq(one->cpu, other->cpu);
	ck_assert_uint_eq(one->time_ns, other->time_ns);
	ck_assert_uint_eq(one->pid, other->pid);
	ck_assert_uint_eq(one->tid, other->tid);
	ck_assert_uint_eq(one->type, other->type);
	ck_assert_uint_eq(one->size, other->size);
	ck_assert(!one->size || !memcmp(one->data, other->data, one->size));
	ck_assert_uint_eq(one->lost, other->lost);
	ck_assert_int_eq(one->cause, other->cause);
	ck_assert_int_eq(!one->schema, !other->schema);
	ck_assert_pstr_eq(one->comm, other->comm);
	ck_assert_pstr_eq(one->map, other->map);
	ck_assert_int_eq(one->late, other->late);
	ck_assert_int_eq(one->has_owner, other->has_owner);
	ck_assert_uint_eq(one->uid, other->uid);
	ck_assert_uint_eq(one->nspid, other->nspid);
	ck_assert_uint_eq(one->nstid, other->nstid);
	ck_assert_uint_eq(one->cgroup, other->cgroup);
	ck_assert_int_eq(!one->identity, !other->identity);
	if (!one->identity)
		return;
	ck_assert_pstr_eq(one->identity->runtime, other->identity->runtime);
	ck_assert_str_eq(one->identity->container, other->identity->container);
	ck_assert_str_eq(one->identity->pod, other->identity->pod);
	ck_assert_str_eq(one->identity->unit, other->identity->unit);
	ck_assert_str_eq(one->identity->container_name, other->identity->container_name);
	ck_assert_str_eq(one->identity->pod_name, other->identity->pod_name);
	ck_assert_pstr_eq(one->identity->path, other->identity->path);
}

/* Prints the event as JSON. */
static inline void print_json(const struct peat_event *event, char *text, size_t room)
{
	int bytes = peat_event__json(event, text, room);

	ck_assert_int_gt(bytes, 0);
}

static inline void check_same_batch(const struct peat_batch *one, const struct peat_batch *other)
{
	struct peat_batch_cursor at = PEAT_BATCH_START, there = PEAT_BATCH_START;
	struct peat_event event, same;

	ck_assert_str_eq(peat_batch__source(one), peat_batch__source(other));
	ck_assert_int_eq(peat_batch__wall_clock(one), peat_batch__wall_clock(other));
	ck_assert_uint_eq(peat_batch__events(one), peat_batch__events(other));
	ck_assert_uint_eq(peat_batch__points(one), peat_batch__points(other));
	while (peat_batch__next(one, &at, &event)) {
		static char line[1 << 18], same_line[1 << 18];

		ck_assert(peat_batch__next(other, &there, &same));
		check_same_event(&event, &same);
		print_json(&event, line, sizeof(line));
		print_json(&same, same_line, sizeof(same_line));
		ck_assert_str_eq(line, same_line);
	}
	ck_assert(!peat_batch__next(other, &there, &same));
}

#endif /* TESTS_UNIT_PIECE_PIECE_EVENTS_H */
