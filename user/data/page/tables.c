// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* page/tables.c: the tables that the blocks of a page refer to. */
#include <errno.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/json_value.h"
#include "field/fields.h"
#include "page/tables.h"

/* ---- values ---------------------------------------------------------------------------------- */

static void put_name(struct strbuf *out, const char *member)
{
	strbuf__char(out, '"');
	strbuf__text(out, member);
	strbuf__text(out, "\":");
}

static void put_text(struct strbuf *out, const char *text)
{
	if (text)
		json_value__name(out, text);
	else
		strbuf__text(out, "null");
}

static void put_id(struct strbuf *out, uint32_t id)
{
	if (id == PEAT_NO_TASK)
		strbuf__text(out, "null");
	else
		strbuf__unsigned(out, id);
}

static void separate(struct strbuf *out, uint32_t i)
{
	if (i)
		strbuf__text(out, ",\n");
}

/* ---- types ----------------------------------------------------------------------------------- */

static const char *format_of(const struct page_field *field)
{
	if (!page_field__is_number(field))
		return "text";
	switch (field_type__of(field->field)->unit) {
	case FIELD_NANOSECONDS:
		return "ns";
	case FIELD_UNIT_BYTES:
		return "bytes";
	case FIELD_NO_UNIT:
		break;
	}
	if (field_type__of(field->field)->format == FIELD_FORMAT_HEX)
		return "hex";
	return field->field->is_signed ? "signed" : "unsigned";
}

static void put_field(struct strbuf *out, const struct page_field *field)
{
	strbuf__text(out, "{\"name\":");
	put_text(out, field->path);
	strbuf__text(out, ",\"format\":");
	put_text(out, format_of(field));
	strbuf__text(out, field->field->is_signed ? ",\"signed\":true" : "");
	if (field->field->doc) {
		strbuf__text(out, ",\"doc\":");
		put_text(out, field->field->doc);
	}
	strbuf__char(out, '}');
}

static void put_type(struct strbuf *out, const struct page_type *type)
{
	strbuf__text(out, "{\"name\":");
	put_text(out, type->name);
	strbuf__text(out, ",\"events\":");
	strbuf__unsigned(out, type->events);
	strbuf__text(out, ",\"duration\":");
	strbuf__signed(out, type->duration ? type->duration - type->fields : -1);
	strbuf__char(out, ',');
	put_name(out, "fields");
	strbuf__char(out, '[');
	for (uint32_t i = 0; i < type->field_count; i++) {
		separate(out, i);
		put_field(out, &type->fields[i]);
	}
	strbuf__text(out, "]}");
}

void page_tables__types(struct strbuf *out, struct page_type *const *types, uint32_t count)
{
	strbuf__char(out, '[');
	for (uint32_t i = 0; i < count; i++) {
		separate(out, i);
		put_type(out, types[i]);
	}
	strbuf__char(out, ']');
}

/* ---- tasks and stacks ------------------------------------------------------------------------ */

void page_tables__tasks(struct strbuf *out, const struct counted_frames *frames)
{
	strbuf__char(out, '[');
	for (uint32_t i = 0; i < frames->task_count; i++) {
		const struct counted_task *task = &frames->tasks[i];

		separate(out, i);
		strbuf__char(out, '[');
		put_id(out, task->pid);
		strbuf__char(out, ',');
		put_id(out, task->tid);
		strbuf__char(out, ',');
		put_text(out, task->comm);
		strbuf__char(out, ']');
	}
	strbuf__char(out, ']');
}

void page_tables__frames(struct strbuf *out, const struct merged_stacks *merged)
{
	strbuf__char(out, '[');
	for (uint32_t i = 0; i < merged->count; i++) {
		const struct merged_frame *frame = &merged->frames[i];

		separate(out, i);
		strbuf__char(out, '[');
		put_text(out, frame->name);
		strbuf__char(out, ',');
		put_text(out, frame->module);
		strbuf__char(out, ',');
		strbuf__unsigned(out, frame->kind);
		strbuf__char(out, ']');
	}
	strbuf__char(out, ']');
}

static uint32_t nodes_of(const struct stack_tree *tree)
{
	return tree->count ? tree->count - 1 : 0;
}

void page_tables__stacks(struct strbuf *out, const struct merged_stacks *merged,
			 const struct stack_tree *tree)
{
	varint__put(out, nodes_of(&merged->tree));
	for (uint32_t i = 1; i < merged->tree.count; i++) {
		varint__put(out, i - merged->tree.nodes[i].parent);
		varint__put(out, merged->tree.nodes[i].frame);
	}
	varint__put(out, nodes_of(tree));
	for (uint32_t i = 1; i < tree->count; i++)
		varint__put(out, merged->by_node[i]);
}

/* ---- documents ------------------------------------------------------------------------------- */

static int read_all(struct strbuf *out, int fd)
{
	struct stat status;
	ssize_t got;
	char *to;

	if (fstat(fd, &status))
		return -errno;
	to = strbuf__room(out, (size_t)status.st_size);
	if (!to)
		return -ENOMEM;
	got = pread(fd, to, (size_t)status.st_size, 0);
	if (got != status.st_size)
		return got < 0 ? -errno : -EIO;
	out->count += (size_t)got;
	return 0;
}

void page_tables__written(struct strbuf *out, int (*write)(const char *path, int fd, bool json),
			  const char *path)
{
	int fd = path ? memfd_create("page", MFD_CLOEXEC) : -1;
	int err = fd < 0 ? -ENOENT : write(path, fd, true);
	size_t before = out->count;

	/* A recording that is cut is described up to there. */
	if (!err || err == -EBADMSG)
		err = read_all(out, fd);
	if (err || out->count == before)
		strbuf__text(out, "null");
	if (fd >= 0 && close(fd))
		out->failed = true;
}
