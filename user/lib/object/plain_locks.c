// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* object/plain_locks.c: replaces atomic operations in the ELF file of a BPF object. */
#include <errno.h>
#include <gelf.h>
#include <libelf.h>
#include <linux/bpf.h>
#include <string.h>

#include "object/plain_locks.h"

/* Missing in the headers of old systems. */
#define MODE_ATOMIC	0xc0
#define ATOMIC_XCHG	0xe1
#define ATOMIC_CMPXCHG	0xf1
#define INSN_CLASS_MODE 0xe7			    /* without the size */
#define LOAD_CONSTANT	(BPF_LD | BPF_IMM | BPF_DW) /* has two instructions */

/* Sections of the file.  Their data is in the image itself. */
struct image {
	Elf *elf;
	size_t names; /* index of the section with the sections' names */
	struct line_info lines;
	unsigned char *constant; /* peat_plain_locks, 4 bytes */
	bool has_channel;
};

/* ---- sections -------------------------------------------------------------------------------- */

static const char *section_name(const struct image *image, Elf_Scn *section)
{
	GElf_Shdr header;
	const char *name = NULL;

	if (gelf_getshdr(section, &header))
		name = elf_strptr(image->elf, image->names, header.sh_name);
	return name ? name : "";
}

static Elf_Data *find_section(const struct image *image, const char *name)
{
	Elf_Scn *section = NULL;

	while ((section = elf_nextscn(image->elf, section)))
		if (!strcmp(section_name(image, section), name))
			return elf_rawdata(section, NULL);
	return NULL;
}

static bool has_code(Elf_Scn *section)
{
	GElf_Shdr header;

	return gelf_getshdr(section, &header) && header.sh_type == SHT_PROGBITS &&
	       header.sh_flags & SHF_EXECINSTR;
}

static void find_lines(struct image *image)
{
	const Elf_Data *ext = find_section(image, ".BTF.ext"), *btf = find_section(image, ".BTF");

	if (!ext || !ext->d_buf || !btf || !btf->d_buf)
		return;
	image->lines = (struct line_info){ .ext = ext->d_buf,
					   .ext_bytes = ext->d_size,
					   .btf = btf->d_buf,
					   .btf_bytes = btf->d_size };
}

/* ---- symbols --------------------------------------------------------------------------------- */

/* The memory of a variable of 4 bytes; NULL: invalid. */
static unsigned char *find_variable(const struct image *image, const GElf_Sym *symbol)
{
	Elf_Scn *section = elf_getscn(image->elf, symbol->st_shndx);
	Elf_Data *data = section ? elf_rawdata(section, NULL) : NULL;

	if (!data || !data->d_buf || data->d_size < sizeof(uint32_t) ||
	    symbol->st_value > data->d_size - sizeof(uint32_t))
		return NULL;
	return (unsigned char *)data->d_buf + symbol->st_value;
}

static void read_symbols(struct image *image, Elf_Scn *section)
{
	Elf_Data *data = elf_getdata(section, NULL);
	GElf_Shdr header;
	GElf_Sym symbol;

	if (!data || !gelf_getshdr(section, &header))
		return;
	for (int i = 0; gelf_getsym(data, i, &symbol); i++) {
		const char *name = elf_strptr(image->elf, header.sh_link, symbol.st_name);

		if (name && !strcmp(name, "peat_stage"))
			image->has_channel = true;
		else if (name && !strcmp(name, "peat_plain_locks"))
			image->constant = find_variable(image, &symbol);
	}
}

static int read_image(struct image *image)
{
	Elf_Scn *section = NULL;
	GElf_Ehdr header;

	if (!image->elf || elf_kind(image->elf) != ELF_K_ELF ||
	    !gelf_getehdr(image->elf, &header) || header.e_machine != EM_BPF ||
	    elf_getshdrstrndx(image->elf, &image->names))
		return -EBADMSG;
	while ((section = elf_nextscn(image->elf, section))) {
		GElf_Shdr of;

		if (gelf_getshdr(section, &of) && of.sh_type == SHT_SYMTAB)
			read_symbols(image, section);
	}
	find_lines(image);
	return image->has_channel && !image->constant ? -EINVAL : 0;
}

/* ---- instructions ---------------------------------------------------------------------------- */

/* Before Linux 5.12, the only atomic operation adds, and returns nothing. */
static bool needs_new_kernel(const struct bpf_insn *insn)
{
	return (insn->code & INSN_CLASS_MODE) == (BPF_STX | MODE_ATOMIC) && insn->imm != BPF_ADD;
}

/* peat.bpf.h has such operations on locks only, which are words at the start of a slot. */
static bool replace(struct bpf_insn *insn)
{
	uint8_t size = BPF_SIZE(insn->code);

	if (size != BPF_W || insn->off)
		return false;
	switch (insn->imm) {
	case ATOMIC_CMPXCHG:
		*insn = (struct bpf_insn){ .code = (uint8_t)(BPF_LDX | BPF_MEM | size),
					   .dst_reg = BPF_REG_0,
					   .src_reg = insn->dst_reg,
					   .off = insn->off };
		return true;
	case ATOMIC_XCHG:
		insn->code = (uint8_t)(BPF_STX | BPF_MEM | size);
		insn->imm = 0;
		return true;
	default:
		return false;
	}
}

static bool is_peat_header(const char *file)
{
	const char *name = strrchr(file, '/');

	return !strcmp(name ? name + 1 : file, "peat.bpf.h");
}

/* `write`: changes the section; otherwise checks it.  Returns the number of replacements. */
static int replace_in(const struct image *image, Elf_Scn *section, bool write,
		      struct source_line *refused)
{
	const char *name = section_name(image, section);
	Elf_Data *data = elf_rawdata(section, NULL);
	int replaced = 0;

	if (!data || (data->d_size && !data->d_buf))
		return -EBADMSG;
	for (size_t at = 0; at + sizeof(struct bpf_insn) <= data->d_size;
	     at += sizeof(struct bpf_insn)) {
		unsigned char *place = (unsigned char *)data->d_buf + at;
		struct bpf_insn insn;

		memcpy(&insn, place, sizeof(insn));
		if (insn.code == LOAD_CONSTANT)
			at += sizeof(insn); /* the second half is no instruction */
		if (!needs_new_kernel(&insn))
			continue;
		*refused = (struct source_line){ 0 };
		if (!line_info__find(&image->lines, name, at, refused) ||
		    !is_peat_header(refused->file) || !replace(&insn))
			return -EOPNOTSUPP;
		if (write)
			memcpy(place, &insn, sizeof(insn));
		replaced++;
	}
	return replaced;
}

static int replace_all(const struct image *image, bool write, struct source_line *refused)
{
	Elf_Scn *section = NULL;
	int replaced = 0;

	while ((section = elf_nextscn(image->elf, section))) {
		int ret = has_code(section) ? replace_in(image, section, write, refused) : 0;

		if (ret < 0)
			return ret;
		replaced += ret;
	}
	return replaced;
}

int plain_locks__use(void *elf, size_t bytes, struct source_line *refused)
{
	struct image image = { 0 };
	const uint32_t yes = 1;
	int ret;

	elf_version(EV_CURRENT);
	image.elf = elf_memory(elf, bytes);
	ret = read_image(&image);
	if (!ret && image.has_channel)
		ret = replace_all(&image, false, refused);
	if (ret > 0 && replace_all(&image, true, refused) != ret)
		ret = -EBADMSG; /* sections overlap */
	if (ret >= 0 && image.has_channel)
		memcpy(image.constant, &yes, sizeof(yes));
	elf_end(image.elf);
	return ret;
}
