// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * json.c: events as lines of JSON, by peat's sink and by libyajl's generator, which gets the line
 * member by member.  Both write the same bytes.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <yajl/yajl_gen.h>

#include <peat/sink.h>

#include "field/fields.h"
#include "parts.h"

#define EVENTS	    1000
#define BLOCK_BYTES (64u << 10) /* same as peat's sink */

struct opened {
	uint32_t ppid;
	int32_t result;
	uint64_t inode, offset;
	uint32_t uid;
	char path[64];
};

static struct peat_field fields[] = {
	PARTS_FIELD(struct opened, ppid, PEAT_FIELD_UNSIGNED),
	PARTS_FIELD(struct opened, result, PEAT_FIELD_SIGNED, .is_signed = true),
	PARTS_FIELD(struct opened, inode, PEAT_FIELD_UNSIGNED),
	PARTS_FIELD(struct opened, offset, PEAT_FIELD_UNSIGNED),
	PARTS_FIELD(struct opened, uid, PEAT_FIELD_UNSIGNED),
	PARTS_FIELD(struct opened, path, PEAT_FIELD_STRING),
};

static const struct peat_schema schema = { .name = "opened",
					   .fields = fields,
					   .count = sizeof(fields) / sizeof(*fields),
					   .bytes = sizeof(struct opened),
					   .stacks_fd = -1 };

struct encoder {
	struct opened payloads[EVENTS];
	struct peat_event events[EVENTS];
	int fd;
	struct peat_sink *sink;
	yajl_gen gen;
};

static void make_events(struct encoder *encoder)
{
	for (uint32_t i = 0; i < EVENTS; i++) {
		struct opened *opened = &encoder->payloads[i];

		*opened = (struct opened){ 1000 + i,
					   i % 7 ? (int32_t)i : -2,
					   9007199254740993 + i,
					   i * 4096ULL,
					   i % 3 * 1000,
					   "" };
		snprintf(opened->path, sizeof(opened->path), "/usr/lib/x86_64-linux-gnu/lib%u.so",
			 i);
		encoder->events[i] = (struct peat_event){ .kind = PEAT_EVENT_DATA,
							  .cpu = i % 4,
							  .time_ns = 4684104235064 + i * 1001ULL,
							  .pid = 19000 + i,
							  .tid = 19001 + i,
							  .size = sizeof(*opened),
							  .data = opened,
							  .schema = &schema,
							  .comm = "cc1plus" };
	}
}

/* ---- peat ------------------------------------------------------------------------------------ */

static uint64_t by_peat(void *context)
{
	struct encoder *encoder = context;

	for (uint32_t i = 0; i < EVENTS; i++)
		if (peat_sink__write(encoder->sink, &encoder->events[i]))
			parts__fail("cannot write to peat's sink: %m");
	return EVENTS;
}

/* ---- libyajl --------------------------------------------------------------------------------- */

static void put_text(yajl_gen gen, const char *text, size_t bytes)
{
	yajl_gen_string(gen, (const unsigned char *)text, bytes);
}

#define PUT_KEY(gen, name) put_text(gen, name, sizeof(name) - 1)

static void put_number(yajl_gen gen, const char *name, size_t bytes, int64_t number)
{
	put_text(gen, name, bytes);
	yajl_gen_integer(gen, number);
}

#define PUT_NUMBER(gen, name, number) put_number(gen, name, sizeof(name) - 1, (int64_t)(number))

static void put_event(yajl_gen gen, const struct peat_event *event)
{
	const struct opened *opened = event->data;

	yajl_gen_map_open(gen);
	PUT_KEY(gen, "type");
	put_text(gen, schema.name, strlen(schema.name));
	PUT_NUMBER(gen, "time_ns", event->time_ns);
	PUT_NUMBER(gen, "cpu", event->cpu);
	PUT_NUMBER(gen, "pid", event->pid);
	PUT_NUMBER(gen, "tid", event->tid);
	PUT_KEY(gen, "comm");
	put_text(gen, event->comm, strlen(event->comm));
	PUT_NUMBER(gen, "ppid", opened->ppid);
	PUT_NUMBER(gen, "result", opened->result);
	PUT_NUMBER(gen, "inode", opened->inode);
	PUT_NUMBER(gen, "offset", opened->offset);
	PUT_NUMBER(gen, "uid", opened->uid);
	PUT_KEY(gen, "path");
	put_text(gen, opened->path, strnlen(opened->path, sizeof(opened->path)));
	yajl_gen_map_close(gen);
	yajl_gen_reset(gen, "\n");
}

static void write_lines(struct encoder *encoder, size_t at_least)
{
	const unsigned char *bytes;
	size_t count;

	yajl_gen_get_buf(encoder->gen, &bytes, &count);
	if (count < at_least)
		return;
	if (write(encoder->fd, bytes, count) != (ssize_t)count)
		parts__fail("cannot write to /dev/null: %m");
	yajl_gen_clear(encoder->gen);
}

static uint64_t by_yajl(void *context)
{
	struct encoder *encoder = context;

	for (uint32_t i = 0; i < EVENTS; i++) {
		put_event(encoder->gen, &encoder->events[i]);
		write_lines(encoder, BLOCK_BYTES);
	}
	return EVENTS;
}

/* ---------------------------------------------------------------------------------------------- */

static void open_encoder(struct encoder *encoder, int fd)
{
	encoder->fd = fd;
	encoder->sink = peat_sink__new_json(fd, NULL);
	encoder->gen = yajl_gen_alloc(NULL);
	if (fd < 0 || !encoder->sink || !encoder->gen)
		parts__fail("cannot open an encoder: %m");
}

static void close_encoder(struct encoder *encoder)
{
	peat_sink__free(encoder->sink);
	yajl_gen_free(encoder->gen);
	close(encoder->fd);
}

/* Both write to one file; the two halves have to be equal. */
static void check_bytes(struct encoder *encoder)
{
	off_t half, whole;
	const char *text;

	open_encoder(encoder, memfd_create("lines", MFD_CLOEXEC));
	by_peat(encoder);
	peat_sink__flush(encoder->sink);
	half = lseek(encoder->fd, 0, SEEK_CUR);
	by_yajl(encoder);
	write_lines(encoder, 0);
	whole = lseek(encoder->fd, 0, SEEK_CUR);
	text = mmap(NULL, (size_t)whole, PROT_READ, MAP_SHARED, encoder->fd, 0);
	if (text == MAP_FAILED || whole != 2 * half || memcmp(text, text + half, (size_t)half) != 0)
		parts__fail("peat and libyajl wrote different lines");
	munmap((void *)text, (size_t)whole);
	close_encoder(encoder);
}

void parts_json__measure(struct bench_table *table)
{
	static struct encoder encoder;
	const struct part parts[] = {
		{ "peat", "peat_sink__new_json()", "lines", "M/s", NULL, by_peat, &encoder },
		{ "libyajl", "yajl_gen", "lines", "M/s", NULL, by_yajl, &encoder },
	};

	make_events(&encoder);
	check_bytes(&encoder);
	open_encoder(&encoder, open("/dev/null", O_WRONLY | O_CLOEXEC));
	parts__measure(table, "json", parts, 2);
	close_encoder(&encoder);
}
