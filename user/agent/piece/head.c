// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* piece/head.c: writes and checks the length and the checksums of a piece. */
#ifdef HAVE_DEFLATE
#include <libdeflate.h>
#else
#include <zlib.h>
#endif

#include "base/cursor.h"
#include "base/errors.h"
#include "base/store.h"
#include "perf_data/header.h"
#include "perf_data/note.h"
#include "piece/head.h"
#include "piece/wire.h"

#define RECORD_AT  PERF_HEADER_PIPE_BYTES
#define CONTENT_AT (RECORD_AT + NOTE_AT)

/* Offsets in the note's bytes. */
#define VERSION_AT	 0
#define HEAD_CHECKSUM_AT 4
#define REST_CHECKSUM_AT 8
#define PIECE_BYTES_AT	 16
#define FIXED_BYTES	 (16 + 7 * 8 + HEAD_BOOT_ID_BYTES + 2 * 4)

/* The parts of a head that are known: all before the note's bytes, but for their number. */
#define SIZE_AT	 6
#define COUNT_AT 20

static uint32_t name_bytes(const char *name)
{
	return (uint32_t)strnlen(name, PIECE_NAME_MAX) + 1;
}

static void put_name(struct strbuf *out, const char *name)
{
	strbuf__bytes(out, name, name_bytes(name) - 1);
	strbuf__char(out, '\0');
}

static void put_note(const struct piece_head *head, struct strbuf *out)
{
	const struct piece_info *info = &head->info;
	uint32_t names = name_bytes(info->host) + name_bytes(info->source);
	uint32_t count = (FIXED_BYTES + names + 7) & ~7u;

	store_u32(out, TOOL_EVENT_TYPE);
	store_u16(out, 0);
	store_u16(out, (uint16_t)(NOTE_AT + count));
	store_u64(out, NOTE_MAGIC);
	store_u32(out, NOTE_PIECE);
	store_u32(out, count);
	store_u32(out, WIRE_VERSION);
	strbuf__fill(out, 0, PIECE_BYTES_AT + sizeof(uint64_t) - HEAD_CHECKSUM_AT);
	store_u64(out, info->run);
	store_u64(out, info->number);
	store_u64(out, info->first);
	store_u64(out, info->events);
	store_u64(out, info->points);
	store_u64(out, (uint64_t)info->wall_clock_ns);
	strbuf__bytes(out, head->boot_id, sizeof(head->boot_id));
	store_u32(out, name_bytes(info->host));
	store_u32(out, name_bytes(info->source));
	put_name(out, info->host);
	put_name(out, info->source);
	strbuf__fill(out, 0, count - FIXED_BYTES - names);
}

void head__put(const struct piece_head *head, struct strbuf *out)
{
	strbuf__bytes(out, PIECE_MAGIC, PIECE_MAGIC_BYTES);
	store_u64(out, PERF_HEADER_PIPE_BYTES);
	put_note(head, out);
}

/* Both libraries compute the same CRC-32: libdeflate by instructions for it, four times as fast. */
static uint32_t checksum(const void *bytes, size_t count)
{
#ifdef HAVE_DEFLATE
	return libdeflate_crc32(0, bytes, count);
#else
	return (uint32_t)crc32_z(0, bytes, count);
#endif
}

int head__seal(struct strbuf *out, size_t start)
{
	uint64_t bytes = out->count - start;
	char *at = out->bytes + start, *note = at + CONTENT_AT;
	uint32_t count = load_u32(at + RECORD_AT + COUNT_AT, false), sum;

	if (bytes > PIECE_BYTES_MAX)
		return -E2BIG;
	sum = checksum(note + count, bytes - CONTENT_AT - count);
	memcpy(note + REST_CHECKSUM_AT, &sum, sizeof(sum));
	memcpy(note + PIECE_BYTES_AT, &bytes, sizeof(bytes));
	sum = checksum(note + REST_CHECKSUM_AT, count - REST_CHECKSUM_AT);
	memcpy(note + HEAD_CHECKSUM_AT, &sum, sizeof(sum));
	return 0;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Whether these are the first bytes of a piece: only the note's size differs between pieces. */
static bool is_begin(const uint8_t *bytes, size_t count)
{
	const uint64_t header_bytes = PERF_HEADER_PIPE_BYTES, note_magic = NOTE_MAGIC;
	const uint32_t type = TOOL_EVENT_TYPE, kind = NOTE_PIECE;
	uint8_t begin[CONTENT_AT];

	if (count > sizeof(begin))
		count = sizeof(begin);
	memcpy(begin, bytes, count);
	memcpy(begin, PIECE_MAGIC, PIECE_MAGIC_BYTES);
	memcpy(begin + PIECE_MAGIC_BYTES, &header_bytes, sizeof(header_bytes));
	memcpy(begin + RECORD_AT, &type, sizeof(type));
	memset(begin + RECORD_AT + sizeof(type), 0, SIZE_AT - sizeof(type));
	memcpy(begin + RECORD_AT + 8, &note_magic, sizeof(note_magic));
	memcpy(begin + RECORD_AT + 16, &kind, sizeof(kind));
	return !memcmp(begin, bytes, count);
}

static const char *read_name(struct cursor *cur, uint32_t bytes)
{
	const char *name = cursor__bytes(cur, bytes);

	if (name && (!bytes || memchr(name, '\0', bytes) != name + bytes - 1))
		cursor__fail(cur);
	return name;
}

static int read_note(const uint8_t *note, uint32_t count, struct piece_head *head)
{
	static const struct peat_layout layout;
	struct piece_info *info = &head->info;
	uint32_t version, sum, host, source;
	struct cursor cur;

	cursor__init(&cur, note, note + count, &layout);
	version = cursor__u32(&cur);
	sum = cursor__u32(&cur);
	head->checksum = cursor__u32(&cur);
	cursor__u32(&cur);
	head->piece_bytes = cursor__u64(&cur);
	info->run = cursor__u64(&cur);
	info->number = cursor__u64(&cur);
	info->first = cursor__u64(&cur);
	info->events = cursor__u64(&cur);
	info->points = cursor__u64(&cur);
	info->wall_clock_ns = (int64_t)cursor__u64(&cur);
	memcpy(head->boot_id, cursor__bytes(&cur, HEAD_BOOT_ID_BYTES), HEAD_BOOT_ID_BYTES);
	host = cursor__u32(&cur);
	source = cursor__u32(&cur);
	info->host = read_name(&cur, host);
	info->source = read_name(&cur, source);
	if (cur.bad || version != WIRE_VERSION || head->piece_bytes < head->bytes ||
	    head->piece_bytes > PIECE_BYTES_MAX ||
	    sum != checksum(note + REST_CHECKSUM_AT, count - REST_CHECKSUM_AT))
		return -EBADMSG;
	return 1;
}

int head__read(const void *bytes, size_t count, struct piece_head *head)
{
	const uint8_t *at = bytes;
	uint32_t note;

	if (!is_begin(at, count))
		return -EBADMSG;
	if (count < CONTENT_AT)
		return 0;
	note = load_u32(at + RECORD_AT + COUNT_AT, false);
	if (note < FIXED_BYTES || note > PIECE_HEAD_MAX - CONTENT_AT || note % 8 ||
	    load_u16(at + RECORD_AT + SIZE_AT, false) != NOTE_AT + note)
		return -EBADMSG;
	if (count < CONTENT_AT + note)
		return 0;
	head->bytes = CONTENT_AT + note;
	return read_note(at + CONTENT_AT, note, head);
}

ssize_t piece__measure(const void *bytes, size_t count, struct piece_info *info)
{
	struct piece_head head;
	int ret = head__read(bytes, count, &head);
	const uint8_t *rest;

	if (ret <= 0)
		return ret;
	if (count < head.piece_bytes)
		return 0;
	rest = (const uint8_t *)bytes + head.bytes;
	if (checksum(rest, (size_t)head.piece_bytes - head.bytes) != head.checksum)
		return -EBADMSG;
	if (info)
		*info = head.info;
	return (ssize_t)head.piece_bytes;
}
