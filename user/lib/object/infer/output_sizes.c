// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * outputs.c: which map, and how many bytes, a call of bpf_perf_event_output() has.
 *
 * What registers hold is followed along the code, as far as it is a map or a number.  Where ways
 * join, what they do not agree on is not known; the code is gone through until nothing changes.
 */
#include <errno.h>
#include <gelf.h>
#include <libelf.h>
#include <linux/bpf.h>
#include <stdlib.h>
#include <string.h>

#include "base/internal.h"
#include "object/infer/output_sizes.h"

#define REGISTERS  BPF_REG_10
#define CODES_MAX  1024	   /* sections with code */
#define INSNS_MAX  1000000 /* in all of them */
#define ROUNDS_MAX 16

/* Not in the headers that old systems have. */
#define CLASS_JMP32 0x06
#define CLASS_ALU64 0x07
#define OP_ATOMIC   0xc0

enum hold { HOLD_NOTHING_YET, HOLD_NUMBER, HOLD_SYMBOL, HOLD_ANYTHING };

struct held {
	uint32_t hold;
	uint32_t value; /* the number, or the symbol's */
};

struct state {
	struct held at[REGISTERS];
};

/* The code of one section. */
struct code {
	Elf_Data *symbols;
	size_t strings; /* the section with their names */
	const uint8_t *bytes;
	uint32_t count;	       /* of insns */
	uint32_t *symbol_at;   /* for each insn the symbol it is relocated by; 0: none */
	struct state **joined; /* for each insn that is jumped to, from all that was seen yet */
	bool changed;
};

static const struct held anything = { HOLD_ANYTHING, 0 };

static struct bpf_insn insn_at(const struct code *code, uint32_t i)
{
	struct bpf_insn insn;

	memcpy(&insn, code->bytes + (size_t)i * sizeof(insn), sizeof(insn));
	return insn;
}

/* ---- what registers hold --------------------------------------------------------------------- */

static struct held number(int64_t value)
{
	return value >= 0 && value <= UINT32_MAX ? (struct held){ HOLD_NUMBER, (uint32_t)value }
						 : anything;
}

static void set(struct state *state, uint32_t reg, struct held held)
{
	if (reg < REGISTERS)
		state->at[reg] = held;
}

static void forget(struct state *state, uint32_t first, uint32_t last)
{
	for (uint32_t reg = first; reg <= last; reg++)
		state->at[reg] = anything;
}

/* Whether `into` is another one now. */
static bool join(struct state *into, const struct state *from)
{
	bool changed = false;

	for (uint32_t reg = 0; reg < REGISTERS; reg++) {
		struct held *held = &into->at[reg];
		struct held other = from->at[reg];

		if (other.hold == HOLD_NOTHING_YET || held->hold == HOLD_ANYTHING ||
		    (held->hold == other.hold && held->value == other.value))
			continue;
		*held = held->hold == HOLD_NOTHING_YET ? other : anything;
		changed = true;
	}
	return changed;
}

static int join_at(struct code *code, const struct state *state, int64_t target)
{
	struct state **joined;

	if (target < 0 || target >= code->count)
		return -EBADMSG;
	joined = &code->joined[target];
	if (!*joined)
		*joined = calloc(1, sizeof(**joined));
	if (!*joined)
		return -ENOMEM;
	code->changed |= join(*joined, state);
	return 0;
}

/* ---- one instruction ------------------------------------------------------------------------- */

static struct held moved(const struct state *state, const struct bpf_insn *insn)
{
	bool is_wide = BPF_CLASS(insn->code) == CLASS_ALU64;
	struct held held = anything;

	if (BPF_SRC(insn->code) == BPF_K)
		return is_wide ? number(insn->imm) : number((uint32_t)insn->imm);
	if (insn->src_reg < REGISTERS && !insn->off)
		held = state->at[insn->src_reg];
	return is_wide || held.hold != HOLD_SYMBOL ? held : anything;
}

static void compute(struct state *state, const struct bpf_insn *insn)
{
	set(state, insn->dst_reg, BPF_OP(insn->code) == BPF_MOV ? moved(state, insn) : anything);
}

/* The wide load takes two insns. */
static int load(const struct code *code, struct state *state, const struct bpf_insn *insn,
		uint32_t *i)
{
	uint32_t symbol = code->symbol_at[*i];
	uint64_t wide;

	if (insn->code != (BPF_LD | BPF_IMM | BPF_DW)) {
		forget(state, BPF_REG_0, BPF_REG_5);
		return 0;
	}
	if (++*i == code->count)
		return -EBADMSG;
	wide = (uint64_t)(uint32_t)insn_at(code, *i).imm << 32 | (uint32_t)insn->imm;
	if (symbol)
		set(state, insn->dst_reg, (struct held){ HOLD_SYMBOL, symbol });
	else
		set(state, insn->dst_reg, insn->src_reg ? anything : number((int64_t)wide));
	return 0;
}

static void store(struct state *state, const struct bpf_insn *insn)
{
	if (BPF_MODE(insn->code) != OP_ATOMIC)
		return;
	set(state, insn->src_reg, anything);
	set(state, BPF_REG_0, anything);
}

/* Whether the code goes on behind it. */
static int branch(struct code *code, struct state *state, const struct bpf_insn *insn, uint32_t i)
{
	uint8_t op = BPF_OP(insn->code);
	bool is_far = op == BPF_JA && BPF_CLASS(insn->code) == CLASS_JMP32;
	int err;

	if (op == BPF_EXIT)
		return false;
	if (op == BPF_CALL) {
		forget(state, BPF_REG_0, BPF_REG_5);
		return true;
	}
	err = join_at(code, state, (int64_t)i + 1 + (is_far ? insn->imm : insn->off));
	return err ? err : op != BPF_JA;
}

/* Whether the code goes on behind insn `*i`, which is moved to its last part. */
static int step(struct code *code, struct state *state, uint32_t *i)
{
	struct bpf_insn insn = insn_at(code, *i);
	int err;

	switch (BPF_CLASS(insn.code)) {
	case BPF_LD:
		err = load(code, state, &insn, i);
		return err ? err : true;
	case BPF_LDX:
		set(state, insn.dst_reg, anything);
		return true;
	case BPF_ST:
	case BPF_STX:
		store(state, &insn);
		return true;
	case BPF_JMP:
	case CLASS_JMP32:
		return branch(code, state, &insn, *i);
	default:
		compute(state, &insn);
		return true;
	}
}

/* ---- all of it ------------------------------------------------------------------------------- */

typedef void (*visit_fn)(const struct code *code, const struct state *state,
			 const struct bpf_insn *insn, void *ctx);

/* What no way has led to when it is met first is where a function begins. */
static int arrive(struct code *code, struct state *state, uint32_t i, bool goes_on)
{
	int err = 0;

	if (!goes_on && !code->joined[i]) {
		forget(state, BPF_REG_0, BPF_REG_9);
		err = join_at(code, state, i);
	} else if (goes_on && code->joined[i]) {
		err = join_at(code, state, i);
	}
	if (!err && code->joined[i])
		*state = *code->joined[i];
	return err;
}

static int walk(struct code *code, visit_fn visit, void *ctx)
{
	struct state state = { 0 };
	int goes_on = false;

	for (uint32_t i = 0; i < code->count; i++) {
		struct bpf_insn insn = insn_at(code, i);
		int err = arrive(code, &state, i, goes_on);

		if (err)
			return err;
		if (visit)
			visit(code, &state, &insn, ctx);
		goes_on = step(code, &state, &i);
		if (goes_on < 0)
			return goes_on;
	}
	return 0;
}

/* Of what is not settled then nothing is known. */
static void give_up(struct code *code)
{
	for (uint32_t i = 0; i < code->count; i++)
		if (code->joined[i])
			forget(code->joined[i], BPF_REG_0, BPF_REG_9);
}

static int follow(struct code *code, visit_fn visit, void *ctx)
{
	int err = 0, round = 0;

	do {
		if (round++ == ROUNDS_MAX)
			give_up(code);
		code->changed = false;
		err = walk(code, NULL, NULL);
	} while (!err && code->changed);
	return err ? err : walk(code, visit, ctx);
}

/* ---- calls ----------------------------------------------------------------------------------- */

struct search {
	Elf *elf;
	const char *map;
	struct outputs *outputs;
	size_t codes, insns; /* gone through */
};

static bool is_output(const struct bpf_insn *insn)
{
	if (insn->code != (BPF_JMP | BPF_CALL) || insn->src_reg)
		return false;
	return insn->imm == BPF_FUNC_perf_event_output || insn->imm == BPF_FUNC_skb_output ||
	       insn->imm == BPF_FUNC_xdp_output;
}

/* The map's name; NULL: not known. */
static const char *name_of(const struct search *search, const struct code *code, struct held held)
{
	const char *name;
	GElf_Sym symbol;

	if (held.hold != HOLD_SYMBOL || !gelf_getsym(code->symbols, (int)held.value, &symbol))
		return NULL;
	name = elf_strptr(search->elf, code->strings, symbol.st_name);
	return name && *name ? name : NULL;
}

/* One to a map that is not known may be to this one. */
static void note_call(const struct code *code, const struct state *state,
		      const struct bpf_insn *insn, void *ctx)
{
	struct search *search = ctx;
	struct outputs *outputs = search->outputs;
	struct held bytes = state->at[BPF_REG_5];
	const char *map;

	if (!is_output(insn))
		return;
	map = name_of(search, code, state->at[BPF_REG_2]);
	if (map && strcmp(map, search->map))
		return;
	outputs->calls++;
	if (!map || bytes.hold != HOLD_NUMBER || !bytes.value) {
		outputs->is_computed = true;
		return;
	}
	if (!outputs->least || bytes.value < outputs->least)
		outputs->least = bytes.value;
	if (bytes.value > outputs->most)
		outputs->most = bytes.value;
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

/* Those of a section may be in several. */
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
		err = follow(&code, note_call, search);
	}
	for (uint32_t i = 0; code.joined && i < code.count; i++)
		free(code.joined[i]);
	free(code.joined);
	free(code.symbol_at);
	return err;
}

int outputs__read(Elf *elf, const char *map, struct outputs *outputs)
{
	struct search search = { .elf = elf, .map = map, .outputs = outputs };
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	int err = 0;

	*outputs = (struct outputs){ 0 };
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
