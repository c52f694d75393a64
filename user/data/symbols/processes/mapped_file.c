// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* symbols/processes/mapped_file.c: the files that processes have mapped, each once. */
#include <stdlib.h>

#include "base/sip_hash.h"
#include "base/text.h"
#include "symbols/processes/mapped_file.h"

/* Names of anonymous memory: /proc/PID/maps has none, or "[anon:NAME]"; records have "//anon". */
static const char *const anonymous[] = {
	"//anon", "[anon", "[heap]", "[stack", "/dev/zero", "/SYSV", "/anon_hugepage",
};

static enum mapped_kind kind_of(const char *path)
{
	if (!*path)
		return MAPPED_ANON;
	if (!strcmp(path, "[vdso]"))
		return MAPPED_VDSO;
	for (size_t i = 0; i < sizeof(anonymous) / sizeof(*anonymous); i++)
		if (begins_with(path, anonymous[i]))
			return MAPPED_ANON;
	if (begins_with(path, "/dev/") && !begins_with(path, "/dev/shm/"))
		return MAPPED_NOTHING;
	return *path == '/' ? MAPPED_FILE : MAPPED_NOTHING;
}

static uint64_t hash_key(const struct mapped_key *key)
{
	const uint64_t parts[] = { sip_hash__key(key->path, strlen(key->path)),
				   sip_hash__key(key->build_id.id, key->build_id.bytes), key->inode,
				   key->generation, (uint64_t)key->major << 32 | key->minor };

	return sip_hash__key(parts, sizeof(parts));
}

static bool is_same(const struct mapped_key *a, const struct mapped_key *b)
{
	return a->inode == b->inode && a->generation == b->generation && a->major == b->major &&
	       a->minor == b->minor && a->build_id.bytes == b->build_id.bytes &&
	       !memcmp(a->build_id.id, b->build_id.id, a->build_id.bytes) &&
	       !strcmp(a->path, b->path);
}

static struct mapped_file *find_mapped_file(const struct mapped_files *files,
					    const struct mapped_key *key, uint64_t code)
{
	struct hash_link *link = hash__first(&files->by_key, code);

	while (link && !is_same(&HASH_ENTRY(link, struct mapped_file, link)->key, key))
		link = hash__next(link);
	return link ? HASH_ENTRY(link, struct mapped_file, link) : NULL;
}

static struct mapped_file *make(const struct mapped_key *key, enum mapped_kind kind)
{
	size_t bytes = strlen(key->path) + 1;
	struct mapped_file *file = calloc(1, sizeof(*file) + bytes);

	if (!file)
		return NULL;
	file->key = *key;
	file->key.path = memcpy(file + 1, key->path, bytes);
	file->kind = kind;
	return file;
}

struct mapped_file *mapped_files__get(struct mapped_files *files, const struct mapped_key *key)
{
	enum mapped_kind kind = kind_of(key->path);
	const struct mapped_key anon = { .path = "[anon]" };
	struct mapped_file *file;
	uint64_t code;

	key = kind == MAPPED_ANON ? &anon : key;
	code = hash_key(key);
	file = find_mapped_file(files, key, code);
	if (file)
		return mapped_files__use(files, file);
	file = make(key, kind);
	if (!file)
		return NULL;
	if (hash__add(&files->by_key, &file->link, code)) {
		free(file);
		return NULL;
	}
	return mapped_files__use(files, file);
}

void mapped_files__put(struct mapped_files *files, struct mapped_file *file)
{
	files->uses--;
	if (--file->uses)
		return;
	hash__remove(&files->by_key, &file->link);
	if (files->release)
		files->release(file, files->arg);
	free(file);
}

void mapped_files__free(struct mapped_files *files)
{
	hash__free(&files->by_key);
	*files = (struct mapped_files){ 0 };
}
