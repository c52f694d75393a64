/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* sink_output.h: tables of fields made by hand, and what a sink made of events. */
#ifndef TESTS_UNIT_PRINT_SINK_OUTPUT_H
#define TESTS_UNIT_PRINT_SINK_OUTPUT_H

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <peat/sink.h>

#include "field/fields.h"

/* A field of a struct of C. */
#define FIELD(type, member, of_kind, ...)                                                          \
	{                                                                                          \
		.name = #member, .kind = (of_kind), .span = 1, .offset = offsetof(type, member),   \
		.bytes = sizeof(((type *)0)->member), ##__VA_ARGS__                                \
	}

#define SCHEMA(of_name, of_fields)                                                                 \
	{                                                                                          \
		.name = (of_name), .fields = (of_fields),                                          \
		.count = sizeof(of_fields) / sizeof(*(of_fields)), .stacks_fd = -1                 \
	}

static inline int new_output(void)
{
	int fd = memfd_create("output", 0);

	ck_assert_int_ge(fd, 0);
	return fd;
}

/* Makes `fd` another name of `other`, and closes `other`. */
static inline void redirect(int fd, int other)
{
	ck_assert_int_ge(other, 0);
	ck_assert_int_eq(dup2(other, fd), fd);
	close(other);
}

#define OUTPUT_MOST (1 << 20)

/* All that was written since the call before, until the next call. */
static inline const char *output(struct peat_sink *sink, int fd)
{
	static char *text;
	ssize_t bytes;

	text = text ?: malloc(OUTPUT_MOST);
	ck_assert_ptr_nonnull(text);
	ck_assert_int_eq(peat_sink__flush(sink), 0);
	bytes = pread(fd, text, OUTPUT_MOST - 1, 0);
	ck_assert_int_ge(bytes, 0);
	ck_assert_int_eq(ftruncate(fd, 0), 0);
	ck_assert_int_eq(lseek(fd, 0, SEEK_SET), 0);
	text[bytes] = 0;
	return text;
}

static inline struct peat_event an_event(const struct peat_schema *schema, const void *data,
					 size_t bytes)
{
	return (struct peat_event){ .kind = PEAT_EVENT_DATA,
				    .cpu = 3,
				    .time_ns = 1000000007,
				    .pid = 41,
				    .tid = 41,
				    .size = (uint32_t)bytes,
				    .data = data,
				    .schema = schema,
				    .comm = "bash" };
}

#endif /* TESTS_UNIT_PRINT_SINK_OUTPUT_H */
