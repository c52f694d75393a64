// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* own_stack.c: registers, stack and mapped files of the calling thread. */
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "own_stack.h"
#include "record/regs.h"

#include "support/machine/harness.h"

static struct elf_file *open_vdso(void)
{
	const Elf64_Ehdr *vdso = (const Elf64_Ehdr *)getauxval(AT_SYSINFO_EHDR);
	const size_t bytes = vdso->e_shoff + (size_t)vdso->e_shnum * vdso->e_shentsize;
	struct elf_file *file;

	ck_assert_int_eq(
		elf_file__open_image(&file, memcpy(malloc(bytes), vdso, bytes), bytes, "[vdso]"),
		0);
	return file;
}

static struct elf_file *open_module(const struct dl_phdr_info *info)
{
	const char *path = *info->dlpi_name ? info->dlpi_name : "/proc/self/exe";
	struct elf_file *file;

	if (strstr(path, "vdso"))
		return open_vdso();
	ck_assert_int_eq(elf_file__open(&file, open(path, O_RDONLY | O_CLOEXEC), path), 0);
	return file;
}

static int add_module(struct dl_phdr_info *info, size_t bytes, void *arg)
{
	struct own_stack *own = arg;
	struct own_module *module = &own->modules[own->module_count++];
	struct call_frames frames;

	(void)bytes;
	ck_assert_uint_le(own->module_count, OWN_STACK_MODULES);
	*module = (struct own_module){ .start = UINT64_MAX, .bias = info->dlpi_addr };
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		const uint64_t start = info->dlpi_addr + segment->p_vaddr;

		if (segment->p_type != PT_LOAD)
			continue;
		module->start = start < module->start ? start : module->start;
		module->end = start + segment->p_memsz;
	}
	module->file = open_module(info);
	ck_assert_int_eq(call_frames__read(&frames, module->file), 0);
	ck_assert_int_eq(unwind_table__new(&module->table, &frames), 0);
	return 0;
}

struct own_stack *own_stack__new(void)
{
	const struct unwind_machine *machine = unwind_machine__of(reg_names__here);
	struct own_stack *own = machine ? calloc(1, sizeof(*own)) : NULL;

	if (!machine)
		return NULL;
	own->machine = machine;
	dl_iterate_phdr(add_module, own);
	return own;
}

void own_stack__free(struct own_stack *own)
{
	for (unsigned i = 0; i < own->module_count; i++) {
		unwind_table__free(own->modules[i].table);
		elf_file__free(own->modules[i].file);
	}
	free(own);
}

/* The registers of a context, by the numbers of DWARF. */
static void copy_regs(struct own_stack *own)
{
	const mcontext_t *from = &own->context.uc_mcontext;
	struct unwind_regs *regs = &own->regs;

#if defined(__x86_64__)
	static const uint8_t at[] = { REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI,
				      REG_RBP, REG_RSP, REG_R8,	 REG_R9,  REG_R10, REG_R11,
				      REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP };

	for (uint8_t i = 0; i < sizeof(at); i++)
		unwind_regs__set(regs, i, (uint64_t)from->gregs[at[i]]);
	regs->pc = (uint64_t)from->gregs[REG_RIP];
#elif defined(__aarch64__)
	for (uint8_t i = 0; i < 31; i++)
		unwind_regs__set(regs, i, from->regs[i]);
	unwind_regs__set(regs, 31, from->sp);
	/* glibc's getcontext() gives the return address in both. */
	regs->pc = from->pc;
#elif defined(__s390x__)
	for (uint8_t i = 0; i < 16; i++)
		unwind_regs__set(regs, i, from->gregs[i]);
	/* glibc's getcontext() leaves the address in r14, too. */
	regs->pc = from->gregs[14];
#else
	(void)from;
	(void)regs;
#endif
}

static uint64_t stack_end(void)
{
	pthread_attr_t attr;
	size_t bytes;
	void *stack;

	ck_assert_int_eq(pthread_getattr_np(pthread_self(), &attr), 0);
	ck_assert_int_eq(pthread_attr_getstack(&attr, &stack, &bytes), 0);
	pthread_attr_destroy(&attr);
	return (uint64_t)(uintptr_t)stack + bytes;
}

__attribute__((noinline, no_sanitize("address"))) void own_stack__copy(struct own_stack *own)
{
	const uint64_t end = stack_end();
	const uint8_t *sp;

	copy_regs(own);
	own->memory.start = own->regs.value[own->machine->sp];
	own->memory.bytes = end - own->memory.start;
	if (own->memory.bytes > OWN_STACK_BYTES)
		own->memory.bytes = OWN_STACK_BYTES;
	sp = (const uint8_t *)(uintptr_t)own->memory.start;
	for (size_t i = 0; i < own->memory.bytes; i++)
		own->bytes[i] = sp[i];
	own->memory.stack = own->bytes;
}

bool own_stack__find(void *arg, uint64_t address, struct unwind_code *code)
{
	struct own_stack *own = arg;

	for (unsigned i = 0; i < own->module_count; i++) {
		const struct own_module *module = &own->modules[i];

		if (address >= module->start && address < module->end) {
			code->table = module->table;
			code->vaddr = address - module->bias;
			return true;
		}
	}
	return false;
}

size_t own_stack__unwind(struct own_stack *own, struct unwind_frame frames[UNWIND_FRAMES_MAX])
{
	return unwind_stack(own->machine, &own->regs, &own->memory, own_stack__find, own, frames,
			    UNWIND_FRAMES_MAX);
}

size_t own_stack__backtrace(void **frames, size_t max, void *caller)
{
	void *all[UNWIND_FRAMES_MAX + 8];
	const size_t count = (size_t)backtrace(all, (int)max + 8);
	size_t at = 0, copied;

	while (at < count && all[at] != caller)
		at++;
	ck_assert_uint_lt(at, count);
	ck_assert_uint_ge(at, 1);
	copied = count - at + 1 < max ? count - at + 1 : max;
	memcpy(frames, all + at - 1, copied * sizeof(*frames));
	return copied;
}
