// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* runtimes/runtime_json.c: reads the JSON of container runtimes, by libyajl. */
#include "runtimes/runtime_json.h"

#ifdef HAVE_YAJL

#include <string.h>
#include <unistd.h>
#include <yajl/yajl_parse.h>

#include "sys/foreign_file.h"

#define FILE_BYTES_MAX (16u << 20)

struct parser {
	struct runtime_text text; /* depth and key so far */
	bool (*use)(void *arg, const struct runtime_text *text);
	void *arg;
};

static void copy(char *to, size_t room, const unsigned char *from, size_t bytes)
{
	if (bytes >= room)
		bytes = room - 1;
	memcpy(to, from, bytes);
	to[bytes] = '\0';
}

static int begin(void *context)
{
	struct parser *parser = context;

	parser->text.depth++;
	return 1;
}

static int end(void *context)
{
	struct parser *parser = context;

	parser->text.depth--;
	return 1;
}

static int take_key(void *context, const unsigned char *key, size_t bytes)
{
	struct parser *parser = context;

	copy(parser->text.key, sizeof(parser->text.key), key, bytes);
	return 1;
}

static int take_text(void *context, const unsigned char *text, size_t bytes)
{
	struct parser *parser = context;

	copy(parser->text.text, sizeof(parser->text.text), text, bytes);
	return !parser->text.depth || parser->use(parser->arg, &parser->text);
}

/* A file may change while it is read: what is malformed then ends the reading. */
static void parse(yajl_handle handle, int fd)
{
	unsigned char bytes[8192];
	size_t left = FILE_BYTES_MAX;
	ssize_t count;

	while (left && (count = read(fd, bytes, sizeof(bytes))) > 0) {
		if (yajl_parse(handle, bytes, (size_t)count) != yajl_status_ok)
			return;
		left -= (size_t)count < left ? (size_t)count : left;
	}
}

bool runtime_json__read(const char *path, bool (*use)(void *arg, const struct runtime_text *text),
			void *arg)
{
	static const yajl_callbacks callbacks = {
		.yajl_string = take_text,
		.yajl_start_map = begin,
		.yajl_map_key = take_key,
		.yajl_end_map = end,
		.yajl_start_array = begin,
		.yajl_end_array = end,
	};
	struct parser parser = { .use = use, .arg = arg };
	int fd = foreign_file__open(NULL, path, FOREIGN_LINKS, NULL);
	yajl_handle handle = fd >= 0 ? yajl_alloc(&callbacks, NULL, &parser) : NULL;

	if (handle) {
		parse(handle, fd);
		yajl_free(handle);
	}
	if (fd >= 0)
		close(fd);
	return handle;
}

#else

bool runtime_json__read(const char *path, bool (*use)(void *arg, const struct runtime_text *text),
			void *arg)
{
	(void)path;
	(void)use;
	(void)arg;
	return false;
}

#endif
