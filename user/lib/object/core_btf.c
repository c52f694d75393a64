// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* core_btf.c: the kernel's types, or none. */
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <linux/btf.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "object/core_btf.h"
#include "object/core_relos.h"

static bool is_named(Elf *elf, Elf_Scn *section, const char *name)
{
	GElf_Shdr header;
	const char *found;
	size_t names;

	if (!gelf_getshdr(section, &header) || elf_getshdrstrndx(elf, &names))
		return false;
	found = elf_strptr(elf, names, header.sh_name);
	return found && !strcmp(found, name);
}

/* One that has no such section has no relocations, of CO-RE, either. */
static bool wants_kernel(Elf *elf)
{
	Elf_Scn *section = NULL;
	Elf_Data *data;

	if (!elf || elf_kind(elf) != ELF_K_ELF)
		return true;
	while ((section = elf_nextscn(elf, section))) {
		if (!is_named(elf, section, ".BTF.ext"))
			continue;
		data = elf_rawdata(section, NULL);
		return !data || !data->d_buf || core_relos__want_kernel(data->d_buf, data->d_size);
	}
	return false;
}

/* Types in their own file begin with a head; of none, a string that is empty follows. */
static bool write_none(int fd)
{
	struct {
		struct btf_header head;
		char string;
	} none = { .head = { .magic = BTF_MAGIC,
			     .version = BTF_VERSION,
			     .hdr_len = sizeof(none.head),
			     .str_len = sizeof(none.string) } };
	size_t bytes = sizeof(none.head) + sizeof(none.string);

	return write(fd, &none, bytes) == (ssize_t)bytes;
}

/* libbpf takes a path.  Where this fails there are the kernel's types, which do for all objects. */
static void make_none(struct core_btf *btf)
{
	btf->fd = memfd_create("no types", MFD_CLOEXEC);
	if (btf->fd < 0)
		return;
	snprintf(btf->path, sizeof(btf->path), "/proc/self/fd/%d", btf->fd);
	if (write_none(btf->fd) && !access(btf->path, R_OK))
		return;
	core_btf__close(btf);
}

static void choose(struct core_btf *btf, Elf *elf)
{
	*btf = (struct core_btf){ 0 };
	if (!wants_kernel(elf))
		make_none(btf);
	elf_end(elf);
}

/* libelf does not write to what it is to read. */
void core_btf__choose(struct core_btf *btf, const void *object, size_t bytes)
{
	elf_version(EV_CURRENT);
	choose(btf, elf_memory((char *)(uintptr_t)object, bytes));
}

void core_btf__choose_for_file(struct core_btf *btf, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	elf_version(EV_CURRENT);
	choose(btf, fd < 0 ? NULL : elf_begin(fd, ELF_C_READ, NULL));
	if (fd >= 0)
		close(fd);
}

const char *core_btf__path(const struct core_btf *btf)
{
	return *btf->path ? btf->path : NULL;
}

void core_btf__close(struct core_btf *btf)
{
	if (*btf->path)
		close(btf->fd);
	*btf = (struct core_btf){ 0 };
}
