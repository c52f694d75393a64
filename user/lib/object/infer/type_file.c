// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* object/infer/type_file.c: opens a file with types and finds a type by name. */
#include <errno.h>
#include <string.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <fcntl.h>
#include <libelf.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "object/libbpf_log.h"
#include "object/infer/type_file.h"

/* DWARF serves like BTF, and also has the types of local variables. */
static int open_dwarf(struct type_file *file)
{
	int err;

	elf_version(EV_CURRENT);
	file->elf = elf_begin(file->fd, ELF_C_READ, NULL);
	if (!file->elf || elf_kind(file->elf) != ELF_K_ELF)
		return 0;
	err = dwarf__open(&file->info, file->elf);
	return err == -ENODATA ? 0 : err;
}

static int open_btf_and_dwarf(struct type_file *file, const char *path)
{
	struct stat status;
	int err;

	file->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (file->fd < 0)
		return -errno;
	file->is_open = true;
	if (!fstat(file->fd, &status) && S_ISDIR(status.st_mode))
		return -EISDIR;
	err = open_dwarf(file);
	if (err)
		return err;
	file->btf = btf__parse(path, NULL);
	if (file->btf || file->info)
		return 0;
	return errno == ENOMEM ? -ENOMEM : -ENODATA;
}

int type_file__open(struct type_file *file, const char *path)
{
	int err;

	*file = (struct type_file){ 0 };
	libbpf_log__forward_all();
	err = open_btf_and_dwarf(file, path);
	if (err == -ENODATA)
		log__error("%s has no types: it must be an object with BTF or debug information, "
			   "or a BTF file",
			   path);
	else if (err)
		log__error("cannot read types from %s: %s", path, strerror(-err));
	if (err)
		type_file__close(file);
	return err;
}

void type_file__close(struct type_file *file)
{
	dwarf__free(file->info);
	elf_end(file->elf);
	btf__free(file->btf);
	if (file->is_open)
		close(file->fd);
	*file = (struct type_file){ 0 };
}

int type_file__find(const struct btf *btf, struct dwarf *info, const char *name,
		    struct peat_schema **schema, uint64_t *bytes)
{
	struct candidates list = { 0 };
	int err = candidates__read_named(&list, btf, NULL, name);

	*schema = NULL;
	if (!err && !list.count && info)
		err = candidates__read_named(&list, NULL, info, name);
	if (!err && list.count) {
		*bytes = list.at->bytes;
		*schema = candidates__schema(btf, info, list.at);
		err = *schema ? 0 : errno == ENOMEM ? -ENOMEM : -EINVAL;
	}
	if (err == -EINVAL)
		log__error("'%s' cannot be the type of events", name);
	candidates__free(&list);
	return err;
}
