// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* object/core_btf.c: the kernel's BTF, or an empty one. */
#include <gelf.h>
#include <libelf.h>
#include <linux/btf.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "object/core_btf.h"
#include "object/core_relos.h"
#include "object/kernel_btf.h"
#include "sys/caps.h"

static bool is_section_named(Elf *elf, Elf_Scn *section, const char *name)
{
	GElf_Shdr header;
	const char *found;
	size_t names;

	if (!gelf_getshdr(section, &header) || elf_getshdrstrndx(elf, &names))
		return false;
	found = elf_strptr(elf, names, header.sh_name);
	return found && !strcmp(found, name);
}

/* An object without the section .BTF.ext has no CO-RE relocations. */
static bool needs_kernel_btf(Elf *elf)
{
	Elf_Scn *section = NULL;
	Elf_Data *data;

	if (!elf || elf_kind(elf) != ELF_K_ELF)
		return true;
	while ((section = elf_nextscn(elf, section))) {
		if (!is_section_named(elf, section, ".BTF.ext"))
			continue;
		data = elf_rawdata(section, NULL);
		return !data || !data->d_buf || core_relos__need_kernel(data->d_buf, data->d_size);
	}
	return false;
}

/* A BTF file without types is a header and an empty string. */
static bool write_empty_btf(int fd)
{
	struct {
		struct btf_header head;
		char string;
	} empty = { .head = { .magic = BTF_MAGIC,
			      .version = BTF_VERSION,
			      .hdr_len = sizeof(empty.head),
			      .str_len = sizeof(empty.string) } };
	size_t bytes = sizeof(empty.head) + sizeof(empty.string);

	return write(fd, &empty, bytes) == (ssize_t)bytes;
}

/* libbpf needs a path.  On failure, the kernel's types are used, which suit every object. */
static void create_empty_btf(struct core_btf *btf)
{
	btf->fd = memfd_create("no types", MFD_CLOEXEC);
	if (btf->fd < 0)
		return;
	snprintf(btf->path, sizeof(btf->path), "/proc/self/fd/%d", btf->fd);
	if (write_empty_btf(btf->fd) && !access(btf->path, R_OK))
		return;
	core_btf__close(btf);
}

/*
 * libbpf searches the types of modules for each type that the kernel lacks, also if a program only
 * asks whether there is such a type.  Without CAP_SYS_ADMIN, libbpf 1.1 then fails; with a path, it
 * reads nothing else.
 */
static const char *without_modules(void)
{
	return caps__has_admin() || kernel_btf__is_missing() ? NULL : KERNEL_BTF;
}

/* libelf does not write to memory that it reads. */
void core_btf__choose(struct core_btf *btf, const void *object, size_t bytes, const char *given)
{
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = elf_memory((char *)(uintptr_t)object, bytes);
	*btf = (struct core_btf){ .given = given ? given : without_modules() };
	if (!needs_kernel_btf(elf))
		create_empty_btf(btf);
	elf_end(elf);
}

const char *core_btf__path(const struct core_btf *btf)
{
	return *btf->path ? btf->path : btf->given;
}

void core_btf__close(struct core_btf *btf)
{
	if (*btf->path)
		close(btf->fd);
	*btf = (struct core_btf){ 0 };
}
