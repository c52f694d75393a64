// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* dwarf_types/read_prototypes.c: opens the DWARF of a program, and converts its functions. */
#include "base/errors.h"

#ifdef HAVE_LIBDW

#include <elfutils/libdw.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "dwarf_types/find_subprograms.h"
#include "dwarf_types/prototype_btf.h"
#include "dwarf_types/read_prototypes.h"
#include "elf/elf_file.h"
#include "symbols/debug/debug_file.h"
#include "symbols/debug/debug_places.h"
#include "sys/foreign_file.h"

#define DEBUG_BYTES_MAX (UINT64_C(4) << 30) /* of all sections: libdw unpacks them at once */
#define ENTRIES_MIN	65536
#define ENTRIES_MAX	(1 << 23)

#if defined(__x86_64__)
#define OWN_MACHINE EM_X86_64
#elif defined(__aarch64__)
#define OWN_MACHINE EM_AARCH64
#else
#define OWN_MACHINE EM_S390
#endif

/* ---- sizes ----------------------------------------------------------------------------------- */

static uint64_t unpacked_bytes(Elf_Scn *section, const GElf_Shdr *header)
{
	GElf_Chdr packed;

	if (header->sh_type == SHT_NOBITS)
		return 0;
	return header->sh_flags & SHF_COMPRESSED && gelf_getchdr(section, &packed)
		       ? packed.ch_size
		       : header->sh_size;
}

static uint64_t all_bytes(Elf *elf)
{
	Elf_Scn *section = NULL;
	uint64_t bytes = 0;
	GElf_Shdr header;

	while ((section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &header) &&
		    __builtin_add_overflow(bytes, unpacked_bytes(section, &header), &bytes))
			return UINT64_MAX;
	return bytes;
}

/*
 * An entry has a byte at least, so valid files do not have more.  Types may be in another file
 * (.gnu_debugaltlink).
 */
static uint32_t entries_most(Elf *elf)
{
	uint64_t bytes = all_bytes(elf);

	return bytes < ENTRIES_MIN   ? ENTRIES_MIN
	       : bytes > ENTRIES_MAX ? ENTRIES_MAX
				     : (uint32_t)bytes;
}

/* ---- functions ------------------------------------------------------------------------------- */

static int compare_addresses(const void *left, const void *right)
{
	const struct wanted_subprogram *a = left, *b = right;

	return a->address < b->address ? -1 : a->address > b->address;
}

static const struct wanted_subprogram *find_wanted(const struct wanted_subprogram *wanted,
						   size_t count, uint64_t address)
{
	const struct wanted_subprogram key = { .address = address };

	return bsearch(&key, wanted, count, sizeof(*wanted), compare_addresses);
}

static int add_functions(struct prototype_btf *prototypes, struct user_function *functions,
			 size_t count, struct wanted_subprogram *wanted)
{
	for (size_t i = 0; i < count; i++) {
		const struct wanted_subprogram *found =
			find_wanted(wanted, count, functions[i].offset);
		Dwarf_Die die;
		int id;

		if (!found || !found->is_found)
			continue;
		die = found->die;
		id = prototype_btf__add(prototypes, &die, functions[i].name);
		if (id < 0)
			return id;
		functions[i].id = (uint32_t)id;
	}
	return 0;
}

static int convert(struct btf **btf, struct prototype_btf *prototypes,
		   struct user_function *functions, size_t count, struct wanted_subprogram *wanted)
{
	int err = prototypes ? add_functions(prototypes, functions, count, wanted) : -errno;

	if (!err) {
		*btf = prototype_btf__finish(prototypes);
		err = *btf ? 0 : -errno;
	}
	prototype_btf__free(prototypes);
	return err == -EBADMSG ? -ENODATA : err;
}

int read_prototypes__of_elf(struct btf **btf, const struct prototype_source *source,
			    struct user_function *functions, size_t count)
{
	struct wanted_subprogram *wanted = calloc(count, sizeof(*wanted));
	const struct search_limits limits = { entries_most(source->elf), source->opens_split };
	Dwarf *dwarf;
	int err;

	*btf = NULL;
	if (!wanted)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		wanted[i].address = functions[i].offset;
	qsort(wanted, count, sizeof(*wanted), compare_addresses);
	dwarf = dwarf_begin_elf(source->elf, DWARF_C_READ, NULL);
	if (dwarf) {
		find_subprograms__run(dwarf, &limits, wanted, count);
		err = convert(btf, prototype_btf__new(source->has_members, limits.entries),
			      functions, count, wanted);
	} else {
		err = elf_file__is_out_of_memory() ? -ENOMEM : -ENODATA;
	}
	dwarf_end(dwarf);
	free(wanted);
	return err;
}

/* ---- files ----------------------------------------------------------------------------------- */

/* An open file and its status. */
struct opened {
	struct elf_file *file;
	struct stat status;
};

static int open_program(struct opened *program, const char *path)
{
	int fd = foreign_file__open(NULL, path, FOREIGN_PROC_LINKS, &program->status);
	int err = fd < 0 ? fd : elf_file__open(&program->file, fd, path);

	return err == -ENOMEM ? err : err ? -ENODATA : 0;
}

static bool has_dwarf(const struct elf_file *file)
{
	GElf_Shdr header;

	return elf_file__find_section(file, ".debug_info", &header) && header.sh_type != SHT_NOBITS;
}

/* Directories of debug files have the path from the root. */
static int open_debug(const struct opened *program, const char *path, struct elf_file **debug)
{
	static const struct debug_places places;
	char whole[PATH_MAX];
	const struct debug_search search = { &places, realpath(path, whole) ? whole : path, NULL,
					     program->status };
	struct debug_wanted wanted;
	int fds[DEBUG_FILES_MAX];
	int err;

	if (!debug_file__describe(program->file, &wanted))
		return -ENODATA;
	err = debug_file__choose(program->file, &wanted, fds,
				 debug_places__open(&search, &wanted, fds), debug);
	return err == -ENOENT ? -ENODATA : err;
}

/* libdw opens the files that DWARF names.  So only a file of root or of this user may name any. */
static bool may_name_files(const struct elf_file *file)
{
	struct stat status;

	return !fstat(file->fd, &status) && (!status.st_uid || status.st_uid == geteuid());
}

static bool may_be_read(const struct elf_file *file)
{
	return all_bytes(file->elf) <= DEBUG_BYTES_MAX &&
	       (may_name_files(file) || !elf_file__find_section(file, ".gnu_debugaltlink", NULL));
}

/* Programs for 32 bits pass arguments in other places. */
static bool is_of_machine(const struct elf_file *file)
{
	return file->is_64 && !file->swapped && file->machine == OWN_MACHINE;
}

/* A debug file has the addresses of its program. */
static bool set_addresses(const struct elf_file *program, struct user_function *functions,
			  size_t count)
{
	bool has_some = false;

	for (size_t i = 0; i < count; i++) {
		if (elf_file__find_vaddr(program, functions[i].offset, &functions[i].offset))
			has_some = true;
		else
			functions[i].offset = UINT64_MAX;
	}
	return has_some;
}

static int read_file(struct btf **btf, const struct elf_file *file, struct user_function *functions,
		     size_t count, bool has_members)
{
	const struct prototype_source source = { file->elf, may_name_files(file), has_members };

	return may_be_read(file) ? read_prototypes__of_elf(btf, &source, functions, count)
				 : -ENODATA;
}

static int read_program(struct btf **btf, const struct opened *program, const char *path,
			struct user_function *functions, size_t count, bool has_members)
{
	struct elf_file *debug = NULL;
	int err = 0;

	if (!is_of_machine(program->file) || !set_addresses(program->file, functions, count))
		return -ENODATA;
	if (!has_dwarf(program->file))
		err = open_debug(program, path, &debug);
	if (!err)
		err = read_file(btf, debug ? debug : program->file, functions, count, has_members);
	elf_file__free(debug);
	return err;
}

int read_prototypes(struct btf **btf, const char *path, struct user_function *functions,
		    size_t count, bool has_members)
{
	struct opened program;
	int err = open_program(&program, path);

	*btf = NULL;
	if (err)
		return err;
	err = read_program(btf, &program, path, functions, count, has_members);
	elf_file__free(program.file);
	return err;
}

#endif /* HAVE_LIBDW */
