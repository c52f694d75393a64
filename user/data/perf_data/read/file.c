// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* perf_data/read/file.c: finds the parts of a perf.data and reads them. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cursor.h"
#include "perf_data/read/directory.h"
#include "perf_data/read/file.h"
#include "perf_data/header.h"
#include "perf_data/read/attr_updates.h"
#include "sys/foreign_file.h"

#define SECTION_BYTES	 16
#define ATTR_BYTES_LEAST 64
#define ATTR_BYTES_MOST	 65536
#define FEATURES	 256

/* One file of records. */
struct part {
	struct perf_stream stream;
	bool is_open;
};

struct perf_file {
	struct perf_file_info info;
	struct perf_header header;
	struct perf_attrs attrs;
	struct attr_updates updates;
	bool has_attr_records; /* the events are in records */
	uint64_t ids_read;     /* of all lists, which may overlap */
	uint32_t recordings;   /* that followed the first */
	struct part *parts;    /* the first is open until the end: features are read from it */
	uint32_t parts_count, current;
	struct perf_directory directory;
	uint64_t member_bytes; /* of the files in the directory other than "data" */
	uint64_t closed_bytes; /* of those that were read to their end */

	struct perf_end end;
	uint8_t *feature;
};

/* ---- the end of the file --------------------------------------------------------------------- */

static void note_end(struct perf_file *file, const struct perf_end *end, uint32_t stream)
{
	if (file->end.how > PERF_END_WHOLE)
		return;
	file->end = *end;
	file->end.stream = stream;
}

static void note(struct perf_file *file, enum perf_end_how how, uint64_t offset, const char *why)
{
	struct perf_end end = { .how = how, .offset = offset, .why = why };

	note_end(file, &end, 0);
}

const struct perf_end *perf_file__end(const struct perf_file *file)
{
	return &file->end;
}

static struct perf_source *source_of(const struct perf_file *file)
{
	return &file->parts[0].stream.source;
}

/* No records: nothing is after the header, or the events to decode them by are missing. */
static int end_in_header(struct perf_file *file, uint64_t offset, const char *why)
{
	if (source_of(file)->err)
		return source_of(file)->err;
	note(file, PERF_END_CUT, offset, why);
	file->current = file->parts_count;
	return 0;
}

static int refuse(const char **why, const char *reason)
{
	*why = reason;
	return -EBADMSG;
}

/* ---- events ---------------------------------------------------------------------------------- */

/* There are too many events, or they are out of reach in a pipe. */
static int explain_file_error(int err, const char **why)
{
	if (err == -E2BIG)
		return refuse(why, "it has more events or ids than any recording");
	if (err == -ESPIPE)
		*why = "it cannot be read from a pipe: its parts stand in another order";
	return err;
}

/* Without ids the samples of several events belong to no event; all other records still work. */
static int read_ids(struct perf_file *file, struct perf_attr *attr, struct perf_section ids)
{
	uint8_t bytes[512 * sizeof(uint64_t)];
	uint64_t left = ids.bytes / sizeof(uint64_t);
	int ret;

	for (uint64_t at = ids.offset; left; at += sizeof(bytes)) {
		size_t count = left < 512 ? (size_t)left : 512;

		if ((file->ids_read += count) > PERF_IDS_MAX)
			return -E2BIG;
		ret = perf_source__read_at(source_of(file), at, bytes, count * sizeof(uint64_t));
		if (ret == 0 || at + sizeof(bytes) < at) {
			note(file, PERF_END_CUT, ids.offset,
			     "the file ends inside its events' ids");
			return 0;
		}
		if (ret > 0)
			ret = perf_attrs__add_ids(&file->attrs, attr, bytes, count,
						  file->info.swapped);
		if (ret < 0)
			return ret;
		left -= count;
	}
	return 0;
}

static int add_attr(struct perf_file *file, const uint8_t *bytes, size_t count, const char **why)
{
	struct perf_section ids;
	struct perf_attr attr;
	int err;

	if (perf_attr__parse(&attr, bytes, count - SECTION_BYTES, file->info.swapped) < 0)
		return refuse(why, "one of its events is of no possible size");
	ids = perf_section__parse(bytes + count - SECTION_BYTES, file->info.swapped);
	err = perf_attrs__add(&file->attrs, &attr);
	return err ? err : read_ids(file, file->attrs.at[file->attrs.count - 1], ids);
}

/* Reads the attrs.  Their size is that of the header, even if the attr's own size differs. */
static int read_attrs(struct perf_file *file, const char **why)
{
	const struct perf_section *section = &file->header.attrs;
	uint64_t each = file->header.attr_size, count;
	uint8_t *bytes;
	int ret = 1;

	if (!section->bytes)
		return 0;
	if (each < ATTR_BYTES_LEAST + SECTION_BYTES || each > ATTR_BYTES_MOST)
		return refuse(why, "its events are of no possible size");
	count = section->bytes / each;
	if (count > PERF_ATTRS_MAX)
		return explain_file_error(-E2BIG, why);
	bytes = malloc(each);
	if (!bytes)
		return -ENOMEM;
	for (uint64_t i = 0; i < count && ret > 0; i++) {
		ret = perf_source__read_at(source_of(file), section->offset + i * each, bytes,
					   each);
		if (ret > 0)
			ret = add_attr(file, bytes, each, why) ?: 1;
	}
	free(bytes);
	if (ret == 0)
		return end_in_header(file, section->offset, "the file ends inside its events");
	return ret < 0 ? explain_file_error(ret, why) : 0;
}

/* Old files have this section.  It only has names, so errors in it are ignored. */
static int read_event_types(struct perf_file *file)
{
	const struct perf_section *section = &file->header.event_types;
	uint64_t count = section->bytes / PERF_EVENT_TYPE_BYTES;
	uint8_t bytes[PERF_EVENT_TYPE_BYTES];
	int err = 0;

	for (uint64_t i = 0; i < count && i < PERF_ATTRS_MAX && !err; i++) {
		if (perf_source__read_at(source_of(file),
					 section->offset + i * PERF_EVENT_TYPE_BYTES, bytes,
					 sizeof(bytes)) <= 0)
			return 0;
		err = attr_updates__apply_event_type(&file->updates, bytes, sizeof(bytes));
	}
	return err;
}

struct perf_attrs *perf_file__attrs(struct perf_file *file)
{
	return &file->attrs;
}

/* ---- features -------------------------------------------------------------------------------- */

static bool has_feature(const struct perf_file *file, unsigned bit)
{
	return file->info.features[bit / 64] >> bit % 64 & 1;
}

/* The table is after the data and has a section for each feature of the header. */
static int read_section(struct perf_file *file, unsigned bit, struct perf_section *section)
{
	uint64_t at = file->header.data.offset + file->header.data.bytes;
	uint8_t bytes[SECTION_BYTES];
	int ret;

	for (unsigned i = 0; i < bit; i++)
		at += has_feature(file, i) ? SECTION_BYTES : 0;
	ret = perf_source__read_at(source_of(file), at, bytes, sizeof(bytes));
	*section = ret > 0 ? perf_section__parse(bytes, file->info.swapped)
			   : (struct perf_section){ 0 };
	return ret;
}

/* Sets feature->why; 1 if the feature can be returned so. */
static int set_why(struct perf_feature *feature, int ret)
{
	if (ret == 0)
		feature->why = "the file ends before it does";
	else if (ret == -ESPIPE)
		feature->why = "it is out of reach in a pipe";
	feature->out_of_reach = ret == -ESPIPE;
	return ret == -ESPIPE || ret == 0 ? 1 : ret;
}

static int read_feature(struct perf_file *file, struct perf_feature *feature)
{
	struct perf_section section;
	int ret = read_section(file, feature->bit, &section);

	feature->offset = section.offset;
	feature->bytes_count = section.bytes;
	if (ret <= 0)
		return set_why(feature, ret);
	if (section.bytes > PERF_FEATURE_MAX) {
		feature->why = "it is too large";
		return 1;
	}
	free(file->feature);
	file->feature = malloc((size_t)section.bytes + !section.bytes);
	if (!file->feature)
		return -ENOMEM;
	ret = perf_source__read_at(source_of(file), section.offset, file->feature,
				   (size_t)section.bytes);
	if (ret <= 0)
		return set_why(feature, ret);
	feature->bytes = file->feature;
	return 1;
}

int perf_file__next_feature(struct perf_file *file, struct perf_feature *feature)
{
	unsigned bit = feature->bit + 1;

	while (bit < FEATURES && !has_feature(file, bit))
		bit++;
	*feature = (struct perf_feature){ .bit = bit };
	return bit < FEATURES ? read_feature(file, feature) : 0;
}

/*
 * A data size of 0 means that the writer crashed, or that there are no records.  If there are none,
 * the header is followed by a table of features.  Bytes of records, read as such a table, have no
 * sections that are in the file after the table.
 */
static bool has_table(struct perf_file *file)
{
	uint64_t behind = file->header.data.offset;
	struct perf_section section;
	bool any = false;
	uint8_t byte;

	for (unsigned bit = 0; bit < FEATURES; bit++)
		behind += has_feature(file, bit) ? SECTION_BYTES : 0;
	for (unsigned bit = 1; bit < FEATURES; bit++) {
		if (!has_feature(file, bit))
			continue;
		if (read_section(file, bit, &section) <= 0 || section.offset < behind)
			return false;
		if (section.bytes &&
		    (section.offset + section.bytes < section.bytes ||
		     perf_source__read_at(source_of(file), section.offset + section.bytes - 1,
					  &byte, 1) <= 0))
			return false;
		any = true;
	}
	return any;
}

/* ---- opening --------------------------------------------------------------------------------- */

static int begin_data(struct perf_file *file, const char **why)
{
	struct perf_stream *stream = &file->parts[0].stream;
	struct perf_section data = file->header.data;

	if (data.offset + data.bytes < data.bytes || data.offset + data.bytes == UINT64_MAX)
		return refuse(why, "its data are of no possible size");
	file->info.data_offset = data.offset;
	file->info.data_bytes = data.bytes;
	file->info.crashed = !data.bytes && !has_table(file);
	stream->end_offset = data.offset + data.bytes;
	if (file->info.crashed) {
		file->info.data_bytes = UINT64_MAX;
		memset(file->info.features, 0, sizeof(file->info.features));
		stream->end_offset = UINT64_MAX;
		stream->unfinished = "its writer did not finish it";
	}
	if (data.offset < file->header.bytes)
		return refuse(why, "its data begin inside its header");
	if (!perf_source__skip(&stream->source, data.offset))
		return end_in_header(file, data.offset, "the file ends before its data begin");
	return 0;
}

static int open_sections(struct perf_file *file, const char **why)
{
	int err;

	memcpy(file->info.features, file->header.features, sizeof(file->info.features));
	file->has_attr_records = !file->header.attrs.bytes;
	err = read_attrs(file, why);
	if (err || file->current)
		return err;
	err = read_event_types(file);
	return err ? err : begin_data(file, why);
}

static int open_pipe(struct perf_file *file)
{
	struct perf_stream *stream = &file->parts[0].stream;

	file->info.mode = PERF_FILE_PIPE;
	file->info.data_offset = PERF_HEADER_PIPE_BYTES;
	file->info.data_bytes = UINT64_MAX;
	file->has_attr_records = true;
	stream->may_repeat = true;
	perf_source__consume(&stream->source, PERF_HEADER_PIPE_BYTES);
	return 0;
}

/* Reads only the header of a pipe first: more bytes may arrive late. */
static int read_header(struct perf_file *file, const char **why)
{
	struct perf_source *source = source_of(file);
	struct perf_header *header = &file->header;
	size_t got = perf_source__peek(source, PERF_HEADER_PIPE_BYTES);
	int wanted;

	if (source->err)
		return source->err;
	wanted = perf_header__parse(header, source->at, got, why);
	if (wanted > (int)got) {
		got = perf_source__peek(source, (size_t)wanted);
		wanted = perf_header__parse(header, source->at, got, why);
	}
	if (wanted < 0)
		return wanted;
	file->info.version = header->version;
	file->info.swapped = header->swapped;
	file->parts[0].stream.swapped = header->swapped;
	perf_attrs__init(&file->attrs, header->swapped);
	attr_updates__init(&file->updates, &file->attrs, header->swapped);
	if ((size_t)wanted > got)
		return end_in_header(file, got, "the file ends inside its header");
	return header->is_pipe ? open_pipe(file) : open_sections(file, why);
}

/* Files of a directory other than "data" have no header. */
static int add_parts(struct perf_file *file)
{
	file->parts_count = 1 + file->directory.count;
	file->parts = calloc(file->parts_count, sizeof(*file->parts));
	return file->parts ? 0 : -ENOMEM;
}

static int open_all(struct perf_file **opened, struct perf_file *file, struct perf_source *source,
		    const char **why)
{
	int err = add_parts(file);

	if (err) {
		perf_source__close(source);
	} else {
		if (file->directory.count)
			file->info.mode = PERF_FILE_DIRECTORY;
		perf_stream__open(&file->parts[0].stream, source, UINT64_MAX, false);
		file->parts[0].is_open = true;
		err = read_header(file, why);
	}
	*opened = err ? NULL : file;
	if (err)
		perf_file__close(file);
	return err;
}

static struct perf_file *new_file(void)
{
	struct perf_file *file = calloc(1, sizeof(*file));

	if (file)
		file->directory.fd = -1;
	return file;
}

int perf_file__open_memory(struct perf_file **file, const void *bytes, size_t count, bool seekable,
			   const char **why)
{
	struct perf_file *new = new_file();
	struct perf_source source;

	*file = NULL;
	*why = NULL;
	if (!new)
		return -ENOMEM;
	perf_source__open_memory(&source, bytes, count, seekable);
	return open_all(file, new, &source, why);
}

/* The time of the last change of a file.  A pipe has none: 0. */
static int64_t changed_ns(int fd)
{
	struct stat status;

	if (fstat(fd, &status) || !S_ISREG(status.st_mode))
		return 0;
	return status.st_mtim.tv_sec * INT64_C(1000000000) + status.st_mtim.tv_nsec;
}

static int open_fd(struct perf_file **file, struct perf_file *new, int fd, bool owns_fd,
		   const char **why)
{
	struct perf_source source;
	int err;

	new->info.changed_ns = changed_ns(fd);
	err = perf_source__open(&source, fd, owns_fd);
	if (!err)
		return open_all(file, new, &source, why);
	perf_file__close(new);
	return err;
}

int perf_file__open_fd(struct perf_file **file, int fd, const char **why)
{
	struct perf_file *new = new_file();

	*file = NULL;
	*why = NULL;
	return new ? open_fd(file, new, fd, false, why) : -ENOMEM;
}

/* The user has named the directory, not what its owner has put there. */
static int open_member(const struct perf_file *file, const char *name, const char **why)
{
	int fd = foreign_file__open_at(file->directory.fd, name, NULL);

	return fd == -ENOTSUP ? refuse(why, "a file of this directory is no regular file") : fd;
}

/* Parts are opened when they are read: reports one that cannot be before any event is printed. */
static int check_parts(struct perf_file *file, const char **why)
{
	struct stat status;

	for (uint32_t i = 0; i < file->directory.count; i++) {
		int fd = open_member(file, file->directory.names[i], why);

		if (fd < 0)
			return fd;
		file->member_bytes += fstat(fd, &status) ? 0 : (uint64_t)status.st_size;
		close(fd);
	}
	return 0;
}

/* Opens the file "data" if the path is a directory. */
static int open_path(struct perf_file *file, const char *path, const char **why)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), err;
	struct stat status;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &status) || !S_ISDIR(status.st_mode))
		return fd;
	err = perf_directory__open(&file->directory, fd);
	if (!err)
		err = check_parts(file, why);
	if (err)
		return err;
	fd = open_member(file, "data", why);
	return fd == -ENOENT ? refuse(why, "this directory is no perf.data: it has no file 'data'")
			     : fd;
}

int perf_file__open(struct perf_file **file, const char *path, const char **why)
{
	struct perf_file *new;
	int fd;

	if (!strcmp(path, "-"))
		return perf_file__open_fd(file, STDIN_FILENO, why);
	*file = NULL;
	*why = NULL;
	new = new_file();
	if (!new)
		return -ENOMEM;
	fd = open_path(new, path, why);
	if (fd >= 0)
		return open_fd(file, new, fd, true, why);
	perf_file__close(new);
	return fd;
}

void perf_file__close(struct perf_file *file)
{
	if (!file)
		return;
	for (uint32_t i = 0; i < file->parts_count && file->parts; i++)
		if (file->parts[i].is_open)
			perf_stream__close(&file->parts[i].stream);
	free(file->parts);
	perf_attrs__clear(&file->attrs);
	perf_directory__close(&file->directory);
	free(file->feature);
	free(file);
}

const struct perf_file_info *perf_file__info(const struct perf_file *file)
{
	return &file->info;
}

/* Features follow the records of the first file, and are not read in order. */
static uint64_t size_of_records(const struct perf_stream *stream)
{
	return stream->source.size < stream->end_offset ? stream->source.size : stream->end_offset;
}

void perf_file__position(const struct perf_file *file, uint64_t *done, uint64_t *all)
{
	const struct perf_stream *first = &file->parts[0].stream;

	*all = first->source.size ? size_of_records(first) + file->member_bytes : 0;
	*done = file->closed_bytes;
	for (uint32_t i = 0; i < file->parts_count; i++)
		*done += file->parts[i].is_open ? file->parts[i].stream.source.offset : 0;
}

void perf_file__keep_payloads(struct perf_file *file)
{
	file->parts[0].stream.keeps_payloads = true;
}

/* ---- records --------------------------------------------------------------------------------- */

uint32_t perf_file__streams(const struct perf_file *file)
{
	return file->parts_count;
}

const char *perf_file__stream_name(const struct perf_file *file, uint32_t stream)
{
	return stream ? file->directory.names[stream - 1] : "data";
}

static int open_part(struct perf_file *file, uint32_t i)
{
	struct perf_source source;
	int fd, err;

	if (file->parts[i].is_open)
		return 0;
	fd = foreign_file__open_at(file->directory.fd, file->directory.names[i - 1], NULL);
	if (fd < 0)
		return fd;
	err = perf_source__open(&source, fd, true);
	if (err)
		return err;
	perf_source__share(&source, file->parts_count);
	perf_stream__open(&file->parts[i].stream, &source, UINT64_MAX, file->info.swapped);
	file->parts[i].stream.keeps_payloads = file->parts[0].stream.keeps_payloads;
	file->parts[i].is_open = true;
	return 0;
}

/* The events of another recording, after its header, are in its records. */
static void begin_recording(struct perf_file *file)
{
	file->recordings = file->parts[0].stream.repeats;
	perf_attrs__restart(&file->attrs);
	attr_updates__init(&file->updates, &file->attrs, file->info.swapped);
}

uint32_t perf_file__recordings(const struct perf_file *file)
{
	return file->recordings + 1;
}

/* Sets the attr and layout of the record, or updates the events by it. */
static int resolve_entry(struct perf_file *file, struct perf_stream *stream,
			 struct perf_entry *entry)
{
	int err;

	entry->attr = NULL;
	entry->layout = NULL;
	if (entry->type < TOOL_HEADER_ATTR) {
		entry->attr = perf_attrs__owner(&file->attrs, entry->type, entry->bytes,
						entry->size, &entry->layout);
		file->attrs.is_used = true;
		return 1;
	}
	err = attr_updates__apply(&file->updates, entry, file->has_attr_records);
	if (err != -EBADMSG && err != -E2BIG)
		return err ? err : 1;
	stream->end =
		(struct perf_end){ .how = PERF_END_DAMAGED,
				   .offset = entry->offset,
				   .why = err == -E2BIG
						  ? "it has more events or ids than any recording"
						  : "an event is of no possible size" };
	return 0;
}

int perf_file__next_of(struct perf_file *file, uint32_t i, struct perf_entry *entry)
{
	struct perf_stream *stream = &file->parts[i].stream;
	int ret;

	/* No file can be decoded without the events of the header. */
	if (file->current == file->parts_count || stream->end.how)
		return 0;
	ret = open_part(file, i);
	if (ret)
		return ret;
	ret = perf_stream__next(stream, entry);
	if (ret > 0) {
		entry->stream = i;
		if (file->recordings != file->parts[0].stream.repeats)
			begin_recording(file);
		ret = resolve_entry(file, stream, entry);
	}
	if (ret == 0) {
		note_end(file, &stream->end, i);
		if (i) {
			file->closed_bytes += stream->source.offset;
			perf_stream__close(stream);
			file->parts[i].is_open = false;
		}
	}
	return ret;
}

int perf_file__next(struct perf_file *file, struct perf_entry *entry)
{
	int ret = 0;

	for (; file->current < file->parts_count; file->current++)
		if ((ret = perf_file__next_of(file, file->current, entry)))
			break;
	return ret;
}

bool perf_file__would_wait(struct perf_file *file)
{
	return file->current < file->parts_count &&
	       perf_stream__would_wait(&file->parts[file->current].stream);
}

int perf_file__fd(const struct perf_file *file)
{
	return source_of(file)->seekable ? -1 : source_of(file)->fd;
}
