// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * object/infer/output_sizes.c: finds the map and the size of each bpf_perf_event_output() call.
 *
 * A data-flow analysis: it tracks registers that contain a map or a number.  Where paths join with
 * different contents, a register is unknown.  The code is analysed until nothing changes.
 */
#include <errno.h>
#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>

#include "object/infer/output_sizes.h"
#include "object/insn.h"

#define REGISTERS  BPF_REG_10
#define CODES_MAX  1024	   /* sections with code */
#define INSNS_MAX  1000000 /* in all sections */
#define PASSES_MAX 16

enum content_kind { CONTENT_UNSET, CONTENT_NUMBER, CONTENT_SYMBOL, CONTENT_UNKNOWN };

/* The content of a register. */
struct content {
	uint32_t kind;
	uint32_t value; /* the number, or the symbol's index */
};

struct state {
	struct content at[REGISTERS];
};

/* The code of one section. */
struct code {
	Elf_Data *symbols;
	size_t strings; /* index of the section with the symbols' names */
	const uint8_t *bytes;
	uint32_t count;	       /* number of insns */
	uint32_t *symbol_at;   /* for each insn, the symbol of its relocation; 0: none */
	struct state **joined; /* for each jump target, the joined state of all jumps so far */
	bool changed;
};

static const struct content unknown_content = { CONTENT_UNKNOWN, 0 };

/* ---- register contents ----------------------------------------------------------------------- */

static struct content number_content(int64_t value)
{
	return value >= 0 && value <= UINT32_MAX
		       ? (struct content){ CONTENT_NUMBER, (uint32_t)value }
		       : unknown_content;
}

static void clear_registers(struct state *state, uint32_t first, uint32_t last)
{
	for (uint32_t reg = first; reg <= last; reg++)
		state->at[reg] = unknown_content;
}

/* Joins `from` into `into`.  True: `into` has changed. */
static bool join_states(struct state *into, const struct state *from)
{
	bool changed = false;

	for (uint32_t reg = 0; reg < REGISTERS; reg++) {
		struct content *content = &into->at[reg];
		struct content other = from->at[reg];

		if (other.kind == CONTENT_UNSET || content->kind == CONTENT_UNKNOWN ||
		    (content->kind == other.kind && content->value == other.value))
			continue;
		*content = content->kind == CONTENT_UNSET ? other : unknown_content;
		changed = true;
	}
	return changed;
}

static int join_at_target(struct code *code, const struct state *state, int64_t target)
{
	struct state **joined;

	if (target < 0 || target >= code->count)
		return -EBADMSG;
	joined = &code->joined[target];
	if (!*joined)
		*joined = calloc(1, sizeof(**joined));
	if (!*joined)
		return -ENOMEM;
	code->changed |= join_states(*joined, state);
	return 0;
}

/* ---- one instruction ------------------------------------------------------------------------- */

static struct content moved_content(const struct state *state, const struct bpf_insn *insn)
{
	bool is_wide = BPF_CLASS(insn->code) == BPF_ALU64;
	struct content content = unknown_content;

	if (BPF_SRC(insn->code) == BPF_K)
		return is_wide ? number_content(insn->imm) : number_content((uint32_t)insn->imm);
	if (insn->src_reg < REGISTERS && !insn->off)
		content = state->at[insn->src_reg];
	return is_wide || content.kind != CONTENT_SYMBOL ? content : unknown_content;
}

static struct content constant_content(const struct insn *insn, uint32_t symbol)
{
	if (symbol)
		return (struct content){ CONTENT_SYMBOL, symbol };
	return insn->raw.src_reg ? unknown_content : number_content((int64_t)insn->constant);
}

/* Executes insn `i`.  Returns whether execution can continue after it, or a negative errno. */
static int do_insn(struct code *code, struct state *state, uint32_t i, const struct insn *insn)
{
	struct content content = unknown_content;
	int err = 0;

	if (insn->kind == INSN_JUMP || insn->kind == INSN_BRANCH)
		err = join_at_target(code, state, insn->target);
	else if (insn->kind == INSN_MOVE)
		content = moved_content(state, &insn->raw);
	else if (insn->kind == INSN_CONSTANT || insn->kind == INSN_FUNCTION_ADDRESS)
		content = constant_content(insn, code->symbol_at[i]);
	for (uint32_t reg = 0; reg < REGISTERS; reg++)
		if (insn->writes & INSN_REGISTER(reg))
			state->at[reg] = content;
	return err ? err : insn->kind != INSN_JUMP && insn->kind != INSN_EXIT;
}

/* ---- a section ------------------------------------------------------------------------------- */

typedef void (*visit_fn)(const struct code *code, const struct state *state,
			 const struct insn *insn, void *ctx);

/* Sets the state before insn `i`.  An insn that no path leads to is the start of a function. */
static int enter_insn(struct code *code, struct state *state, uint32_t i, bool continues)
{
	int err = 0;

	if (!continues && !code->joined[i]) {
		clear_registers(state, BPF_REG_0, BPF_REG_9);
		err = join_at_target(code, state, i);
	} else if (continues && code->joined[i]) {
		err = join_at_target(code, state, i);
	}
	if (!err && code->joined[i])
		*state = *code->joined[i];
	return err;
}

static int analyse_once(struct code *code, visit_fn visit, void *ctx)
{
	struct state state = { 0 };
	struct insn insn;
	int continues = false;

	for (uint32_t i = 0; i < code->count; i = (uint32_t)insn.next) {
		int err = enter_insn(code, &state, i, continues);

		if (err)
			return err;
		if (!insn__decode(code->bytes, code->count, i, &insn))
			return -EBADMSG;
		if (visit)
			visit(code, &state, &insn, ctx);
		continues = do_insn(code, &state, i, &insn);
		if (continues < 0)
			return continues;
	}
	return 0;
}

/* After PASSES_MAX passes: all registers become unknown at jump targets. */
static void clear_targets(struct code *code)
{
	for (uint32_t i = 0; i < code->count; i++)
		if (code->joined[i])
			clear_registers(code->joined[i], BPF_REG_0, BPF_REG_9);
}

static int analyse_code(struct code *code, visit_fn visit, void *ctx)
{
	int err = 0, pass = 0;

	do {
		if (pass++ == PASSES_MAX)
			clear_targets(code);
		code->changed = false;
		err = analyse_once(code, NULL, NULL);
	} while (!err && code->changed);
	return err ? err : analyse_once(code, visit, ctx);
}

/* ---- calls ----------------------------------------------------------------------------------- */

struct search {
	Elf *elf;
	const char *map;
	struct output_sizes *sizes;
	size_t codes, insns; /* analysed so far */
};

static bool is_output(const struct insn *insn)
{
	int32_t helper = insn->raw.imm;

	return insn->kind == INSN_CALL_HELPER &&
	       (helper == BPF_FUNC_perf_event_output || helper == BPF_FUNC_skb_output ||
		helper == BPF_FUNC_xdp_output);
}

/* The name of the map in a register; NULL: unknown. */
static const char *map_name(const struct search *search, const struct code *code,
			    struct content content)
{
	const char *name;
	GElf_Sym symbol;

	if (content.kind != CONTENT_SYMBOL ||
	    !gelf_getsym(code->symbols, (int)content.value, &symbol))
		return NULL;
	name = elf_strptr(search->elf, code->strings, symbol.st_name);
	return name && *name ? name : NULL;
}

static void add_size(struct output_calls *calls, struct content bytes)
{
	calls->count++;
	if (bytes.kind != CONTENT_NUMBER || !bytes.value) {
		calls->is_computed = true;
		return;
	}
	if (!calls->least || bytes.value < calls->least)
		calls->least = bytes.value;
	if (bytes.value > calls->most)
		calls->most = bytes.value;
}

/* An output to an unknown map can be to this map. */
static void count_call(const struct code *code, const struct state *state, const struct insn *insn,
		       void *ctx)
{
	struct search *search = ctx;
	struct output_sizes *sizes = search->sizes;
	const char *map;

	if (!is_output(insn))
		return;
	map = map_name(search, code, state->at[BPF_REG_2]);
	if (map && strcmp(map, search->map))
		return;
	add_size(map ? &sizes->to_map : &sizes->to_unknown, state->at[BPF_REG_5]);
	/* Numbers have 32 bits, and flags have the number of bytes in bit 32 and above. */
	sizes->appends |= state->at[BPF_REG_3].kind != CONTENT_NUMBER;
}

/* ---- sections -------------------------------------------------------------------------------- */

static Elf_Data *section_data(Elf *elf, size_t index, GElf_Shdr *header)
{
	Elf_Scn *section = elf_getscn(elf, index);

	return section && gelf_getshdr(section, header) ? elf_getdata(section, NULL) : NULL;
}

static void read_relocations(struct code *code, Elf_Data *data, uint64_t count)
{
	GElf_Rel rel;

	for (uint64_t i = 0; i < count && i < INSNS_MAX && gelf_getrel(data, (int)i, &rel); i++) {
		uint64_t at = rel.r_offset / sizeof(struct bpf_insn);

		if (at < code->count)
			code->symbol_at[at] = (uint32_t)GELF_R_SYM(rel.r_info);
	}
}

/* A section's relocations can be in several sections. */
static void find_relocations(struct code *code, Elf *elf, size_t section)
{
	Elf_Scn *at = NULL;
	GElf_Shdr header, symbols = { 0 };

	while ((at = elf_nextscn(elf, at))) {
		Elf_Data *data;

		if (!gelf_getshdr(at, &header) || header.sh_type != SHT_REL ||
		    header.sh_info != section || !header.sh_entsize)
			continue;
		data = elf_getdata(at, NULL);
		code->symbols = section_data(elf, header.sh_link, &symbols);
		code->strings = symbols.sh_link;
		if (data && code->symbols)
			read_relocations(code, data, header.sh_size / header.sh_entsize);
	}
}

static int read_code(struct search *search, Elf_Scn *section, const Elf_Data *data)
{
	struct code code = { .bytes = data->d_buf };
	size_t count = data->d_size / sizeof(struct bpf_insn);
	int err = -ENOMEM;

	if (search->codes++ == CODES_MAX || count > INSNS_MAX - search->insns)
		return -E2BIG;
	search->insns += count;
	code.count = (uint32_t)count;
	code.symbol_at = calloc(code.count, sizeof(*code.symbol_at));
	code.joined = calloc(code.count, sizeof(struct state *));
	if (code.symbol_at && code.joined) {
		find_relocations(&code, search->elf, elf_ndxscn(section));
		err = analyse_code(&code, count_call, search);
	}
	for (uint32_t i = 0; code.joined && i < code.count; i++)
		free(code.joined[i]);
	free(code.joined);
	free(code.symbol_at);
	return err;
}

int output_sizes__read(Elf *elf, const char *map, struct output_sizes *sizes)
{
	struct search search = { .elf = elf, .map = map, .sizes = sizes };
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	int err = 0;

	*sizes = (struct output_sizes){ 0 };
	while (!err && (section = elf_nextscn(elf, section))) {
		Elf_Data *data;

		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_PROGBITS ||
		    !(header.sh_flags & SHF_EXECINSTR))
			continue;
		data = elf_getdata(section, NULL);
		if (data && data->d_buf && data->d_size >= sizeof(struct bpf_insn))
			err = read_code(&search, section, data);
	}
	return err;
}
