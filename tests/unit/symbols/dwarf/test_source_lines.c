// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_source_lines.c: lines and inlined functions of this program, and of its debug file. */
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <peat/log.h>
#include <peat/symbols.h>

#include "unit/symbols/liar.h"
#include "unit/symbols/separated.h"
#include "symbols/files/file_reader.h"
#include "symbols/namer/flat_lines.h"
#include "symbols/dwarf/source_lines.h"

#include "support/machine/process.h"
#include "support/machine/scratch.h"
#include "unit/suite.h"

#ifdef HAVE_LIBDW
#define need_libdw()
#else
#define need_libdw() skip("built without libdw")
#endif

/* The address at which it is called. */
static uint64_t here;
static volatile int one = 1; /* unknown to the compiler, which would make a copy of outer() */
static int innermost_line, middle_line, outer_line;

__attribute__((noinline)) static void take(void)
{
	here = (uint64_t)(uintptr_t)__builtin_return_address(0);
}

__attribute__((always_inline)) static inline void innermost(void)
{
	innermost_line = __LINE__ + 1;
	take();
	__asm__ volatile("nop");
}

__attribute__((always_inline)) static inline void middle(int number)
{
	middle_line = __LINE__ + 2;
	if (number)
		innermost();
	__asm__ volatile("nop");
}

__attribute__((noinline)) static void outer(int number)
{
	outer_line = __LINE__ + 1;
	middle(number);
	__asm__ volatile("nop");
}

static int find_bias(struct dl_phdr_info *info, size_t bytes, void *bias)
{
	(void)bytes;
	*(uint64_t *)bias = info->dlpi_addr;
	return 1;
}

/* The address in the file of the call of take(). */
static uint64_t find_vaddr(void)
{
	uint64_t bias;

	dl_iterate_phdr(find_bias, &bias);
	outer(one);
	return here - 1 - bias;
}

static void check_frames(struct source_lines *lines)
{
	const struct source_frame *frames, *again;
	const uint64_t vaddr = find_vaddr();
	size_t bytes;

	ck_assert_int_eq(source_lines__find(lines, vaddr, &frames), 3);
	ck_assert_str_eq(frames[0].name, "innermost");
	ck_assert_uint_eq(frames[0].line, (unsigned)innermost_line);
	ck_assert_str_eq(frames[1].name, "middle");
	ck_assert_uint_eq(frames[1].line, (unsigned)middle_line);
	ck_assert_ptr_null(frames[2].name);
	ck_assert_uint_eq(frames[2].line, (unsigned)outer_line);
	for (int i = 0; i < 3; i++)
		ck_assert_ptr_nonnull(strstr(frames[i].file, "test_source_lines.c"));
	bytes = source_lines__bytes(lines);
	ck_assert_int_eq(source_lines__find(lines, vaddr, &again), 3);
	ck_assert_ptr_eq(frames, again);
	ck_assert_uint_eq(source_lines__bytes(lines), bytes);
	ck_assert_int_eq(source_lines__find(lines, 1, &frames), 0);
	ck_assert_int_eq(source_lines__find(lines, UINT64_MAX, &frames), 0);
}

START_TEST(test_own_lines)
{
	struct elf_file *file = separated__open("/proc/self/exe");
	unsigned fds = process__count_fds();
	struct source_lines *lines;

	need_libdw();
	ck_assert(source_lines__are_in(file));
	ck_assert_int_eq(source_lines__new(&lines, file, false, SOURCE_FILES_OF_TRUSTED), 0);
	check_frames(lines);
	source_lines__free(lines);
	ck_assert_uint_lt(process__count_fds(), fds);
}
END_TEST

/* A stripped program has none, its debug file has the same. */
START_TEST(test_debug_file)
{
	struct separated separated;
	struct elf_file *file;
	struct source_lines *lines;

	need_libdw();
	separated__make(&separated);
	file = separated__open(separated.program);
	ck_assert(!source_lines__are_in(file));
	ck_assert_int_eq(source_lines__new(&lines, file, false, SOURCE_FILES_OF_TRUSTED), -ENODATA);
	ck_assert_int_eq(source_lines__new(&lines, separated__open(separated.debug), false,
					   SOURCE_FILES_OF_TRUSTED),
			 0);
	check_frames(lines);
	source_lines__free(lines);
	separated__remove(&separated);
}
END_TEST

/* Frames of the public functions: read in this process, or by a namer. */
START_TEST(test_frames_have_lines)
{
	struct peat_symbols_opts opts = PEAT_SYMBOLS_OPTS_INIT;
	const struct peat_stack_frame *frames;
	struct peat_symbols *symbols;

	need_libdw();
	opts.lines = true;
	opts.namer = _i ? "/proc/self/exe" : NULL;
	symbols = peat_symbols__new(&opts);
	ck_assert_ptr_nonnull(symbols);
	find_vaddr();
	ck_assert_int_eq(peat_symbols__address(symbols, PEAT_SPACE_USER, (uint32_t)getpid(), 0,
					       here - 1, &frames),
			 3);
	ck_assert_str_eq(frames[0].symbol, "innermost");
	ck_assert_uint_eq(frames[0].line, (unsigned)innermost_line);
	ck_assert_str_eq(frames[1].symbol, "middle");
	ck_assert_str_eq(frames[2].symbol, "outer");
	ck_assert_uint_eq(frames[2].line, (unsigned)outer_line);
	for (int i = 0; i < 3; i++) {
		ck_assert_int_eq(frames[i].inlined, i < 2);
		ck_assert_uint_eq(frames[i].address, here - 1);
		ck_assert_ptr_eq(frames[i].module, frames[0].module);
	}
	peat_symbols__free(symbols);
}
END_TEST

/* A function of the address sanitizer, if it is there. */
void __lsan_disable(void) __attribute__((weak));

/* DWARF with bytes damaged: any answer, but no crash.  libdw 0.188 leaks tables that it rejects. */
START_TEST(test_damaged_dwarf_does_no_harm)
{
	static const char *const sections[] = { ".debug_info", ".debug_line", ".debug_abbrev",
						".debug_rnglists" };
	const uint64_t vaddr = find_vaddr();

	need_libdw();
	if (__lsan_disable)
		__lsan_disable();
	srand(1);
	for (int round = 0; round < 40; round++) {
		struct elf_file *file = separated__open("/proc/self/exe");
		struct elf_content content =
			elf_file__content(elf_file__find_section(file, sections[round % 4], NULL));
		const struct source_frame *frames;
		struct source_lines *lines;

		for (int i = 0; content.at && i < 2000; i++)
			((uint8_t *)(uintptr_t)content.at)[(size_t)rand() % content.bytes] =
				(uint8_t)rand();
		if (source_lines__new(&lines, file, false, SOURCE_FILES_OF_TRUSTED))
			continue;
		for (uint64_t at = vaddr - 200; at < vaddr + 200; at += 7)
			ck_assert_int_ge(source_lines__find(lines, at, &frames), 0);
		source_lines__free(lines);
	}
}
END_TEST

/* ---- files that DWARF names ------------------------------------------------------------------ */

/* A program whose functions are described in unit.dwo, which is a FIFO by now. */
static void make_split(void)
{
	static const char code[] = "int main(void) { return 0; }\n";

	close(scratch__file("unit.c", code));
	separated__run(ARGV("gcc", "-g", "-gsplit-dwarf", "-o", scratch__path("unit.o"), "-c",
			    scratch__path("unit.c")));
	separated__run(ARGV("gcc", "-o", scratch__path("split"), scratch__path("unit.o")));
	ck_assert_int_eq(unlink(scratch__path("unit.dwo")), 0);
	ck_assert_int_eq(mkfifo(scratch__path("unit.dwo"), 0600), 0);
}

static int read_lines(const char *name)
{
	struct source_lines *lines;
	int err = source_lines__new(&lines, separated__open(scratch__path(name)), false,
				    SOURCE_FILES_OF_TRUSTED);

	if (!err)
		source_lines__free(lines);
	return err;
}

/* Whether reading the program's lines opens the FIFO. */
static bool opens_split(void)
{
	int events = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	char event[512];
	ssize_t count;

	ck_assert_int_ge(inotify_add_watch(events, scratch__path("unit.dwo"), IN_OPEN), 0);
	ck_assert_int_eq(read_lines("split"), 0);
	count = read(events, event, sizeof(event));
	close(events);
	return count > 0;
}

START_TEST(test_split_unit)
{
	int fifo;

	need_libdw();
	make_split();
	fifo = open(scratch__path("unit.dwo"), O_RDWR | O_CLOEXEC); /* others do not wait for it */
	ck_assert(opens_split());
	if (chown(scratch__path("split"), 61234, 61234))
		skip("root alone makes another user's files");
	ck_assert(!opens_split());
	close(fifo);
}
END_TEST

START_TEST(test_alternate_file)
{
	char add[128];

	need_libdw();
	make_split();
	close(scratch__file("link", "/no/such/file"));
	snprintf(add, sizeof(add), ".gnu_debugaltlink=%s", scratch__path("link"));
	separated__run(ARGV("objcopy", "--add-section", add, scratch__path("split")));
	unlink(scratch__path("unit.dwo"));
	ck_assert_int_eq(read_lines("split"), 0);
	if (chown(scratch__path("split"), 61234, 61234))
		skip("root alone makes another user's files");
	ck_assert_int_eq(read_lines("split"), -ENODATA);
}
END_TEST

/* ---- by a namer ------------------------------------------------------------------------------ */

static struct file_reader reader;
static struct line_cache cache;

static void begin_namer(const char *program)
{
	reader.namer = namer__new(program);
	ck_assert_ptr_nonnull(reader.namer);
	line_cache__init(&cache, false);
}

static void end_namer(void)
{
	namer__free(reader.namer);
	line_cache__free(&cache);
}

static int ask(const char *path, const uint64_t *addresses, uint32_t count)
{
	struct opened_file file = { .fd = open(path, O_RDONLY | O_CLOEXEC), .path = path };
	int err;

	ck_assert_int_ge(file.fd, 0);
	ck_assert_int_eq(fstat(file.fd, &file.status), 0);
	file.is_of_root = !file.status.st_uid;
	err = file_reader__lines(&reader, &file, addresses, count, &cache);
	close(file.fd);
	return err;
}

/* Many addresses of a file at a time, and of several files; of a debug file, too. */
START_TEST(test_namer_reads_lines)
{
	uint64_t addresses[LINE_ADDRESSES_MAX];
	const struct source_frame *frames;
	struct separated separated;
	int count;

	need_libdw();
	separated__make(&separated);
	begin_namer("/proc/self/exe");
	for (uint32_t i = 0; i < LINE_ADDRESSES_MAX; i++)
		addresses[i] = i;
	addresses[7] = find_vaddr();
	for (int round = 0; round < 2; round++) {
		ck_assert_int_eq(ask(round ? separated.program : "/proc/self/exe", addresses,
				     LINE_ADDRESSES_MAX),
				 0);
		ck_assert_int_eq(ask("/etc/passwd", addresses, 1), -ENOEXEC);
		ck_assert(line_cache__find(&cache, addresses[7], &frames, &count));
		ck_assert_int_eq(count, 3);
		ck_assert_str_eq(frames[0].name, "innermost");
		ck_assert_uint_eq(frames[1].line, (unsigned)middle_line);
		ck_assert_uint_eq(frames[2].line, (unsigned)outer_line);
		ck_assert(line_cache__find(&cache, 63, &frames, &count));
		ck_assert_int_eq(count, 0);
		line_cache__free(&cache);
		line_cache__init(&cache, false);
	}
	unlink(separated.debug);
	separated__run(ARGV("cp", separated.program, separated.by_id));
	ck_assert_int_eq(ask(separated.by_id, addresses, 1), -ENODATA);
	end_namer();
	separated__remove(&separated);
}
END_TEST

/* A namer opens no file: this process reads those of root and its own, if they name others. */
START_TEST(test_namer_of_split)
{
	const uint64_t address = 0x1000;

	need_libdw();
	make_split();
	unlink(scratch__path("unit.dwo"));
	begin_namer("/proc/self/exe");
	ck_assert_int_eq(ask(scratch__path("split"), &address, 1), -EXDEV);
	if (chown(scratch__path("split"), 61234, 61234))
		skip("root alone makes another user's files");
	ck_assert_int_eq(ask(scratch__path("split"), &address, 1), 0);
	end_namer();
}
END_TEST

static unsigned warnings;

static void note_warning(enum peat_log_level level, const char *text)
{
	warnings += level == PEAT_LOG_WARN && strstr(text, "source lines");
}

/* Lines that a namer cannot read: one message, and frames without lines. */
START_TEST(test_namer_dies)
{
	struct peat_symbols_opts opts = PEAT_SYMBOLS_OPTS_INIT;
	const struct peat_stack_frame *frames;
	struct peat_symbols *symbols;

	need_libdw();
	peat_set_print(note_warning);
	opts.lines = true;
	opts.namer = liar__script(LIE_DIES_OF_LINES);
	symbols = peat_symbols__new(&opts);
	ck_assert_ptr_nonnull(symbols);
	find_vaddr();
	for (int i = 0; i < 3; i++) {
		ck_assert_int_eq(peat_symbols__address(symbols, PEAT_SPACE_USER, (uint32_t)getpid(),
						       0, here - 1, &frames),
				 1);
		ck_assert_str_eq(frames[0].symbol, "outer");
		ck_assert_ptr_null(frames[0].file);
		ck_assert_uint_eq(warnings, 1);
	}
	peat_symbols__free(symbols);
	liar__remove();
}
END_TEST

SUITE(120)
{
	tcase_add_checked_fixture(tests, scratch__make, scratch__remove);
	tcase_add_test(tests, test_split_unit);
	tcase_add_test(tests, test_alternate_file);

	tcase_add_test(tests, test_own_lines);
	tcase_add_test(tests, test_debug_file);
	tcase_add_loop_test(tests, test_frames_have_lines, 0, 2);
	tcase_add_test(tests, test_namer_reads_lines);
	tcase_add_test(tests, test_namer_of_split);
	tcase_add_test(tests, test_namer_dies);
	tcase_add_test(tests, test_damaged_dwarf_does_no_harm);
}
