// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* perf_data/tool_record.c: decodes the records of perf itself that the library acts on. */
#include <errno.h>

#include "base/cursor.h"
#include "perf_data/tool_record.h"

#define BUILD_ID_BYTES	   20
#define BUILD_ID_ROOM	   24 /* with its size, and padding */
#define MISC_BUILD_ID_SIZE (1 << 15)
#define BUILD_ID_HEADER	   8

#define OLD_KERNEL_NAME	  "nel.kallsyms]" /* read four bytes too late */
#define BUILD_ID_WITH_PID 36

static struct cursor cursor_over(const void *bytes, size_t count, bool swapped)
{
	struct cursor cur = { .at = bytes, .swapped = swapped };

	cur.end = cur.at + count;
	return cur;
}

int tool_record__parse(const void *bytes, size_t size, bool swapped, struct tool_record *rec)
{
	struct cursor cur = cursor_over(bytes, size, swapped);

	*rec = (struct tool_record){ .type = cursor__u32(&cur), .swapped = swapped };
	rec->misc = cursor__u16(&cur);
	cursor__u16(&cur); /* the size */
	rec->body = cur.at;
	rec->bytes = cursor__left(&cur);
	return cur.bad ? -EBADMSG : 0;
}

/* The id of the end mark is that of the first feature unknown to its perf: only its size shows. */
int tool_record__feature(const struct tool_record *rec, struct tool_feature *feature)
{
	struct cursor cur = cursor_over(rec->body, rec->bytes, rec->swapped);

	feature->id = cursor__u64(&cur);
	feature->data = cur.at;
	feature->bytes = cursor__left(&cur);
	feature->end = !feature->bytes;
	return cur.bad ? -EBADMSG : 0;
}

int tool_record__event_update(const struct tool_record *rec, struct tool_event_update *update)
{
	struct cursor cur = cursor_over(rec->body, rec->bytes, rec->swapped);

	update->kind = cursor__u64(&cur);
	update->id = cursor__u64(&cur);
	update->data = (const char *)cur.at;
	update->bytes = cursor__left(&cur);
	return cur.bad ? -EBADMSG : 0;
}

int tool_record__build_id(const struct tool_record *rec, bool old, struct tool_build_id *build_id)
{
	size_t at = old ? 0 : sizeof(uint32_t);

	if (rec->bytes < at + BUILD_ID_ROOM)
		return -EBADMSG;
	build_id->pid = old ? -1 : (int32_t)load_u32(rec->body, rec->swapped);
	build_id->id = rec->body + at;
	build_id->id_bytes = BUILD_ID_BYTES;
	if (rec->misc & MISC_BUILD_ID_SIZE)
		build_id->id_bytes = rec->body[at + BUILD_ID_BYTES];
	if (build_id->id_bytes > BUILD_ID_BYTES)
		return -EBADMSG;
	at += BUILD_ID_ROOM;
	build_id->filename = (const char *)rec->body + at;
	build_id->filename_bytes = strnlen(build_id->filename, rec->bytes - at);
	return 0;
}

/* Linux 2.6.34 and before wrote no pid.  The kernel's entry is the first, and reveals that. */
bool tool_record__build_ids_are_old(const struct cursor *cur)
{
	return cursor__left(cur) >= BUILD_ID_WITH_PID + strlen(OLD_KERNEL_NAME) &&
	       !memcmp(cur->at + BUILD_ID_WITH_PID, OLD_KERNEL_NAME, strlen(OLD_KERNEL_NAME));
}

/* A record BUILD_ID, with type 0. */
const char *tool_record__next_build_id(struct cursor *cur, bool old, struct tool_build_id *build_id)
{
	struct tool_record rec = { .swapped = cur->swapped };

	cursor__u32(cur);
	rec.misc = cursor__u16(cur);
	rec.bytes = cursor__u16(cur);
	if (cur->bad)
		return "it ends early";
	if (rec.bytes < BUILD_ID_HEADER)
		return "a build id is shorter than its header";
	rec.bytes -= BUILD_ID_HEADER;
	rec.body = cursor__bytes(cur, rec.bytes);
	if (!rec.body || tool_record__build_id(&rec, old, build_id))
		return "a build id is cut";
	return NULL;
}
