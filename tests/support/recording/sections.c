// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* sections.c: the features and records of a perf.data. */
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/perf/perf_magic.h"
#include "sections.h"

#define PIPE_HEADER    16
#define FEATURE_BITS   256
#define FEATURE_RECORD 80
#define RECORD_HEADER  8

/* Offsets in the header of a file. */
#define HEADER_SIZE_AT 8
#define DATA_AT	       40
#define FEATURES_AT    72

static uint64_t u64_at(const struct sections *file, size_t at)
{
	uint64_t v;

	if (at + sizeof(v) > file->count)
		abort();
	memcpy(&v, file->bytes + at, sizeof(v));
	return v;
}

static uint32_t u32_at(const struct sections *file, size_t at)
{
	uint32_t v;

	if (at + sizeof(v) > file->count)
		abort();
	memcpy(&v, file->bytes + at, sizeof(v));
	return v;
}

void sections__read(struct sections *file, const char *path)
{
	FILE *f = fopen(path, "rb");
	long count;

	if (!f || fseek(f, 0, SEEK_END) || (count = ftell(f)) < PIPE_HEADER) {
		perror(path);
		abort();
	}
	rewind(f);
	file->count = (size_t)count;
	file->bytes = malloc(file->count);
	if (!file->bytes || fread(file->bytes, file->count, 1, f) != 1 ||
	    memcmp(file->bytes, &perf_magic, sizeof(perf_magic)) != 0) {
		fprintf(stderr, "%s: not read\n", path);
		abort();
	}
	fclose(f);
	file->pipe = u64_at(file, HEADER_SIZE_AT) == PIPE_HEADER;
}

void sections__free(struct sections *file)
{
	free(file->bytes);
}

/* Bytes that follow a record but are not included in its size. */
static size_t payload_of(const struct sections *file, size_t at)
{
	switch (u32_at(file, at)) {
	case 66: /* TRACING_DATA */
		return (u32_at(file, at + RECORD_HEADER) + 7u) & ~7u;
	case 71: /* AUXTRACE */
		return u64_at(file, at + RECORD_HEADER);
	default:
		return 0;
	}
}

void sections__each_record(const struct sections *file,
			   void (*fn)(const uint8_t *at, size_t bytes, void *arg), void *arg)
{
	size_t at = file->pipe ? PIPE_HEADER : u64_at(file, DATA_AT);
	size_t end = file->pipe ? file->count : at + u64_at(file, DATA_AT + 8);

	while (at + RECORD_HEADER <= end && end <= file->count) {
		uint16_t size;

		memcpy(&size, file->bytes + at + 6, sizeof(size));
		if (size < RECORD_HEADER || size > end - at)
			break;
		fn(file->bytes + at, size, arg);
		at += size + payload_of(file, at);
	}
}

struct feature_call {
	void (*fn)(uint64_t id, const uint8_t *at, size_t bytes, void *arg);
	void *arg;
};

static void call_feature(const uint8_t *at, size_t bytes, void *arg)
{
	struct feature_call *call = arg;
	uint32_t type;
	uint64_t id;

	memcpy(&type, at, sizeof(type));
	if (type != FEATURE_RECORD || bytes <= RECORD_HEADER + sizeof(id))
		return;
	memcpy(&id, at + RECORD_HEADER, sizeof(id));
	call->fn(id, at + RECORD_HEADER + sizeof(id), bytes - RECORD_HEADER - sizeof(id),
		 call->arg);
}

void sections__each_feature(const struct sections *file,
			    void (*fn)(uint64_t id, const uint8_t *at, size_t bytes, void *arg),
			    void *arg)
{
	struct feature_call call = { fn, arg };
	size_t at;

	if (file->pipe) {
		sections__each_record(file, call_feature, &call);
		return;
	}
	at = u64_at(file, DATA_AT) + u64_at(file, DATA_AT + 8);
	for (unsigned int id = 0; id < FEATURE_BITS; id++) {
		uint64_t word = u64_at(file, FEATURES_AT + id / 64 * 8), start, bytes;

		if (!(word >> id % 64 & 1))
			continue;
		start = u64_at(file, at);
		bytes = u64_at(file, at + 8);
		at += 16;
		if (start > file->count || bytes > file->count - start)
			abort();
		fn(id, file->bytes + start, bytes, arg);
	}
}

/* ---- the corpus ------------------------------------------------------------------------------ */

static const char *corpus_dir(void)
{
	const char *dir = getenv("PEAT_CORPUS");

	return dir ? dir : "../shared/corpus";
}

const char *sections__corpus(const char *name)
{
	static char path[PATH_MAX];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", corpus_dir(), name);
	f = fopen(path, "rb");
	if (!f)
		return NULL;
	fclose(f);
	return path;
}

static int is_perf_data(const struct dirent *entry)
{
	return entry->d_name[0] != '.' && !strstr(entry->d_name, ".md");
}

const char *const *sections__corpus_names(void)
{
	static struct dirent **entries; /* never freed, like the names */
	static const char **names;
	int count;

	if (names)
		return names;
	count = scandir(corpus_dir(), &entries, is_perf_data, alphasort);
	if (count <= 0)
		return NULL;
	names = calloc((size_t)count + 1, sizeof(*names));
	if (!names)
		abort();
	for (int i = 0; i < count; i++)
		names[i] = entries[i]->d_name;
	return names;
}

unsigned int sections__each_file(void (*fn)(const struct sections *file, const char *name,
					    void *arg),
				 void *arg)
{
	const char *const *names = sections__corpus_names();
	unsigned int count = 0;

	for (; names && names[count]; count++) {
		struct sections file;

		sections__read(&file, sections__corpus(names[count]));
		fn(&file, names[count], arg);
		sections__free(&file);
	}
	return count;
}
