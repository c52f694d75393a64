// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* symbols/processes/mapped_file.c: the files that processes have mapped, each once. */
#include <stdlib.h>

#include "base/internal.h"
#include "base/sip_hash.h"
#include "symbols/processes/mapped_file.h"

#define SLOTS_MIN 64

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

static int grow(struct mapped_files *files)
{
	size_t count = files->slots_count ? 2 * files->slots_count : SLOTS_MIN;
	struct mapped_file **slots = calloc(count, sizeof(*slots));

	if (!slots)
		return -ENOMEM;
	for (size_t i = 0; i < files->slots_count; i++) {
		while (files->slots[i]) {
			struct mapped_file *file = files->slots[i];

			files->slots[i] = file->next;
			file->next = slots[file->hash & (count - 1)];
			slots[file->hash & (count - 1)] = file;
		}
	}
	free(files->slots);
	files->slots = slots;
	files->slots_count = count;
	return 0;
}

static struct mapped_file *make(const struct mapped_key *key, enum mapped_kind kind, uint64_t hash)
{
	size_t bytes = strlen(key->path) + 1;
	struct mapped_file *file = calloc(1, sizeof(*file) + bytes);

	if (!file)
		return NULL;
	file->key = *key;
	file->key.path = memcpy(file + 1, key->path, bytes);
	file->kind = kind;
	file->hash = hash;
	return file;
}

struct mapped_file *mapped_files__get(struct mapped_files *files, const struct mapped_key *key)
{
	enum mapped_kind kind = kind_of(key->path);
	const struct mapped_key anon = { .path = "[anon]" };
	struct mapped_file *file, **slot;
	uint64_t hash;

	key = kind == MAPPED_ANON ? &anon : key;
	hash = hash_key(key);
	if (files->count >= files->slots_count && grow(files))
		return NULL;
	slot = &files->slots[hash & (files->slots_count - 1)];
	for (file = *slot; file; file = file->next)
		if (file->hash == hash && is_same(&file->key, key))
			return mapped_files__use(files, file);
	file = make(key, kind, hash);
	if (!file)
		return NULL;
	file->next = *slot;
	*slot = file;
	files->count++;
	return mapped_files__use(files, file);
}

void mapped_files__put(struct mapped_files *files, struct mapped_file *file)
{
	struct mapped_file **at;

	files->uses--;
	if (--file->uses)
		return;
	at = &files->slots[file->hash & (files->slots_count - 1)];
	while (*at != file)
		at = &(*at)->next;
	*at = file->next;
	files->count--;
	if (files->release)
		files->release(file, files->arg);
	free(file);
}

void mapped_files__free(struct mapped_files *files)
{
	free(files->slots);
	*files = (struct mapped_files){ 0 };
}
