// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* object/plain_locks.c: replaces atomic operations in the ELF file of a BPF object. */
#include <errno.h>
#include <gelf.h>
#include <libelf.h>
#include <string.h>

#include "object/elf_image.h"
#include "object/insn.h"
#include "object/plain_locks.h"

struct image {
	Elf *elf;
	size_t names; /* index of the section with the sections' names */
	struct line_info lines;
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

static int read_image(struct image *image)
{
	struct elf_bytes ext, btf;

	if (!elf_image__is_bpf(image->elf) || elf_getshdrstrndx(image->elf, &image->names))
		return -EBADMSG;
	ext = elf_image__bytes(elf_image__find_section(image->elf, ".BTF.ext"));
	btf = elf_image__bytes(elf_image__find_section(image->elf, ".BTF"));
	image->lines = (struct line_info){
		.ext = ext.at, .ext_bytes = ext.count, .btf = btf.at, .btf_bytes = btf.count
	};
	return 0;
}

/* ---- instructions ---------------------------------------------------------------------------- */

/* A lock is a word at the start of a slot. */
static bool replace_lock(struct bpf_insn *insn)
{
	uint8_t size = BPF_SIZE(insn->code);

	if (size != BPF_W || insn->off)
		return false;
	switch (insn->imm) {
	case BPF_CMPXCHG:
		*insn = (struct bpf_insn){ .code = (uint8_t)(BPF_LDX | BPF_MEM | size),
					   .dst_reg = BPF_REG_0,
					   .src_reg = insn->dst_reg,
					   .off = insn->off };
		return true;
	case BPF_XCHG:
		insn->code = (uint8_t)(BPF_STX | BPF_MEM | size);
		insn->imm = 0;
		return true;
	default:
		return false;
	}
}

/* peat.bpf.h has such operations on locks and on counts. */
static bool replace(struct bpf_insn *insn)
{
	bool counts = BPF_SIZE(insn->code) == BPF_DW && insn->imm == (BPF_ADD | BPF_FETCH);

	if (!counts)
		return replace_lock(insn);
	insn->imm = BPF_ADD;
	return true;
}

static bool is_peat_header(const char *file)
{
	static const char impl[] = "/peat/impl.bpf.h";
	const char *name = strrchr(file, '/');
	size_t bytes = strlen(file);

	return !strcmp(name ? name + 1 : file, "peat.bpf.h") ||
	       (bytes >= sizeof(impl) - 1 && !strcmp(file + bytes - sizeof(impl) + 1, impl));
}

/* `write`: changes the section; otherwise checks it.  Returns the number of replacements. */
static int replace_in(const struct image *image, Elf_Scn *section, bool write,
		      struct source_line *refused)
{
	const char *name = section_name(image, section);
	struct elf_bytes code = elf_image__bytes(section);
	size_t count = code.count / sizeof(struct bpf_insn);
	struct insn insn;
	int replaced = 0;

	for (size_t i = 0; insn__decode(code.at, count, i, &insn); i = insn.next) {
		size_t at = i * sizeof(insn.raw);

		/* Before Linux 5.12, the only atomic operation adds, and returns nothing. */
		if (insn.kind != INSN_ATOMIC || insn.raw.imm == BPF_ADD)
			continue;
		*refused = (struct source_line){ 0 };
		if (!line_info__find(&image->lines, name, at, refused) ||
		    !is_peat_header(refused->file) || !replace(&insn.raw))
			return -EOPNOTSUPP;
		if (write)
			memcpy(code.at + at, &insn.raw, sizeof(insn.raw));
		replaced++;
	}
	return replaced;
}

static int replace_all(const struct image *image, bool write, struct source_line *refused)
{
	Elf_Scn *section = NULL;
	int replaced = 0;

	while ((section = elf_nextscn(image->elf, section))) {
		int ret = elf_image__has_code(section) ? replace_in(image, section, write, refused)
						       : 0;

		if (ret < 0)
			return ret;
		replaced += ret;
	}
	return replaced;
}

/* The object includes peat.bpf.h. */
static int use_in(const struct image *image, struct source_line *refused)
{
	char *constant = elf_image__find_word(image->elf, "peat_plain_locks");
	const uint32_t yes = 1;
	int ret;

	if (!constant)
		return -EINVAL;
	ret = replace_all(image, false, refused);
	if (ret > 0 && replace_all(image, true, refused) != ret)
		return -EBADMSG; /* sections overlap */
	if (ret >= 0)
		memcpy(constant, &yes, sizeof(yes));
	return ret;
}

int plain_locks__use(void *elf, size_t bytes, struct source_line *refused)
{
	struct image image = { 0 };
	int ret;

	elf_version(EV_CURRENT);
	image.elf = elf_memory(elf, bytes);
	ret = read_image(&image);
	if (!ret && elf_image__has_symbol(image.elf, "peat_stage"))
		ret = use_in(&image, refused);
	elf_end(image.elf);
	return ret;
}
