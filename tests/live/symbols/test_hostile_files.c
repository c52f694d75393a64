// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_hostile_files.c: files that lie or end early: ELF files, perf maps, long lines of
 * /proc/PID/maps.  Frames keep address, module and offset; a name is the right one, or missing; at
 * most one warning a file is logged.
 *
 * The mutated ELF file is the vdso, which every machine has.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <peat/log.h>
#include <peat/symbols.h>

#include "support/machine/harness.h"
#include "support/perf/stock_perf.h"

#define MAP_BYTES ((size_t)1 << 16)

static unsigned warnings;
static char warning[8192];

static void keep_warning(enum peat_log_level level, const char *text)
{
	if (level > PEAT_LOG_WARN)
		return;
	warnings++;
	snprintf(warning, sizeof(warning), "%s", text);
}

static void setup(void)
{
	stock_perf__setup();
	peat_set_print(keep_warning);
	warnings = 0;
}

/* The frame of an address of this process. */
static struct peat_stack_frame name(struct peat_symbols *symbols, const void *address)
{
	const struct peat_stack_frame *frames;
	int count = peat_symbols__address(symbols, PEAT_SPACE_USER, (uint32_t)getpid(), 0,
					  (uint64_t)(uintptr_t)address, &frames);

	ck_assert_int_ge(count, 1);
	ck_assert_uint_eq(frames[0].address, (uint64_t)(uintptr_t)address);
	return frames[0];
}

static struct peat_symbols *new_symbols(void)
{
	struct peat_symbols *symbols = peat_symbols__new(NULL);

	ck_assert_ptr_nonnull(symbols);
	return symbols;
}

static void write_file(const char *path, const void *bytes, size_t count)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0755);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, bytes, count), (ssize_t)count);
	ck_assert_int_eq(close(fd), 0);
}

/* Maps the file as code, also beyond its end. */
static char *map_code(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	void *code;

	ck_assert_int_ge(fd, 0);
	code = mmap(NULL, MAP_BYTES, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	ck_assert_ptr_ne(code, MAP_FAILED);
	close(fd);
	return code;
}

static void check_module(const struct peat_stack_frame *frame, const char *path, uint64_t offset)
{
	const char *end = frame->module ? strrchr(frame->module, '/') : NULL;

	ck_assert_msg(end && !strcmp(end + 1, path), "module %s, not %s", frame->module, path);
	ck_assert_uint_eq(frame->module_offset, offset);
}

/* ---- ELF files ------------------------------------------------------------------------------- */

#define ALIASES 4

struct image {
	unsigned char *bytes;
	size_t count;
	uint64_t function;	 /* offset of a function, in its middle */
	char names[ALIASES][64]; /* all that it has */
};

static const ElfW(Shdr) * section_of(const unsigned char *image, unsigned index)
{
	const ElfW(Ehdr) *header = (const void *)image;

	return (const void *)(image + header->e_shoff + (size_t)index * header->e_shentsize);
}

static void copy_names(struct image *image, const ElfW(Sym) * symbols, size_t count,
		       const ElfW(Sym) * best, const char *names)
{
	unsigned aliases = 0;

	for (size_t i = 0; i < count; i++)
		if (symbols[i].st_value == best->st_value &&
		    ELF64_ST_TYPE(symbols[i].st_info) == STT_FUNC && aliases < ALIASES)
			snprintf(image->names[aliases++], sizeof(image->names[0]), "%s",
				 names + symbols[i].st_name);
}

/* The largest function of the table of dynamic symbols. */
static void find_function(struct image *image)
{
	const ElfW(Ehdr) *header = (const void *)image->bytes;
	const ElfW(Sym) *best = NULL;
	const char *names;

	for (unsigned i = 0; i < header->e_shnum; i++) {
		const ElfW(Shdr) *section = section_of(image->bytes, i);
		const ElfW(Sym) *symbols = (const void *)(image->bytes + section->sh_offset);

		if (section->sh_type != SHT_DYNSYM)
			continue;
		names = (const char *)image->bytes +
			section_of(image->bytes, section->sh_link)->sh_offset;
		for (size_t n = 0; n < section->sh_size / sizeof(*symbols); n++)
			if (ELF64_ST_TYPE(symbols[n].st_info) == STT_FUNC &&
			    (!best || symbols[n].st_size > best->st_size))
				best = &symbols[n];
		ck_assert_ptr_nonnull(best);
		image->function = best->st_value + best->st_size / 2;
		copy_names(image, symbols, section->sh_size / sizeof(*symbols), best, names);
		break;
	}
	ck_assert_ptr_nonnull(best);
}

static bool is_right(const struct image *image, const char *name)
{
	for (unsigned i = 0; name && i < ALIASES; i++)
		if (*image->names[i] && !strcmp(name, image->names[i]))
			return true;
	return false;
}

static void copy_vdso(struct image *image)
{
	const unsigned char *vdso = (const void *)(uintptr_t)getauxval(AT_SYSINFO_EHDR);
	const ElfW(Ehdr) *header = (const void *)vdso;

	ck_assert_ptr_nonnull(vdso);
	image->count = header->e_shoff + (size_t)header->e_shnum * header->e_shentsize;
	image->bytes = malloc(image->count);
	ck_assert_ptr_nonnull(image->bytes);
	memcpy(image->bytes, vdso, image->count);
	find_function(image);
}

/* True: the function has its name; false: it has none. */
static bool is_named(const struct image *image, const char *path, bool may_be_other)
{
	struct peat_symbols *symbols = new_symbols();
	char *code = map_code(path);
	struct peat_stack_frame frame;
	bool is;

	warnings = 0;
	frame = name(symbols, code + image->function);
	check_module(&frame, path, image->function);
	ck_assert_msg(warnings <= 1, "%u warnings, the last one: %s", warnings, warning);
	is = is_right(image, frame.symbol);
	ck_assert_msg(is || !frame.symbol || may_be_other, "%s, not %s", frame.symbol,
		      image->names[0]);
	/* All of the name has to be readable: sanitizers check it. */
	ck_assert(!frame.symbol || strlen(frame.symbol) < 1 << 16);
	peat_symbols__free(symbols);
	munmap(code, MAP_BYTES);
	return is;
}

/* Writes a byte of the image in several ways. */
static void mutate(const struct image *image, size_t at)
{
	const unsigned char was = image->bytes[at];
	const unsigned char values[] = { 0, 0xff, (unsigned char)(was + 1),
					 (unsigned char)(was ^ 0x80) };

	for (size_t i = 0; i < sizeof(values); i++) {
		image->bytes[at] = values[i];
		write_file("mutant", image->bytes, image->count);
		is_named(image, "mutant", true);
	}
	image->bytes[at] = was;
}

START_TEST(test_whole_file)
{
	struct image image = { 0 };

	copy_vdso(&image);
	write_file("whole", image.bytes, image.count);
	ck_assert(is_named(&image, "whole", false));
	ck_assert_msg(!warnings, "%s", warning);
	free(image.bytes);
}
END_TEST

/* All bytes of the ELF header, and of each program and section header. */
START_TEST(test_damaged_headers_do_no_harm)
{
	const ElfW(Ehdr) * header;
	struct image image = { 0 };
	size_t segments, sections;

	copy_vdso(&image);
	header = (const void *)image.bytes;
	segments = (size_t)header->e_phnum * header->e_phentsize;
	sections = (size_t)header->e_shnum * header->e_shentsize;
	for (size_t i = 0; i < sizeof(*header); i++)
		mutate(&image, i);
	for (size_t i = 0; i < segments; i++)
		mutate(&image, header->e_phoff + i);
	for (size_t i = 0; i < sections; i++)
		mutate(&image, header->e_shoff + i);
	free(image.bytes);
}
END_TEST

/* Notes, tables of symbols and their names. */
START_TEST(test_damaged_contents_do_no_harm)
{
	const ElfW(Ehdr) * header;
	struct image image = { 0 };

	copy_vdso(&image);
	header = (const void *)image.bytes;
	for (unsigned i = 1; i < header->e_shnum; i++) {
		const ElfW(Shdr) *section = section_of(image.bytes, i);

		if (section->sh_type == SHT_DYNSYM || section->sh_type == SHT_STRTAB ||
		    section->sh_type == SHT_NOTE)
			for (size_t n = 0; n < section->sh_size; n += 3)
				mutate(&image, section->sh_offset + n);
	}
	free(image.bytes);
}
END_TEST

START_TEST(test_cut_files)
{
	struct image image = { 0 };

	copy_vdso(&image);
	for (size_t count = 0; count < image.count; count += 16) {
		write_file("cut", image.bytes, count);
		is_named(&image, "cut", false);
	}
	free(image.bytes);
}
END_TEST

/* Not an ELF file at all. */
START_TEST(test_other_file)
{
	const struct image image = { .function = 100, .names = { "none" } };
	char text[4096];

	memset(text, 'x', sizeof(text));
	write_file("text", text, sizeof(text));
	ck_assert(!is_named(&image, "text", false));
}
END_TEST

/* ---- lines of maps --------------------------------------------------------------------------- */

#define PART_BYTES 200

/* A file whose path fills a page. */
START_TEST(test_long_path)
{
	struct peat_symbols *symbols = new_symbols();
	struct peat_stack_frame frame;
	char part[PART_BYTES + 1], before[4096];
	struct image image = { 0 };
	char *code;

	copy_vdso(&image);
	ck_assert_ptr_nonnull(getcwd(before, sizeof(before)));
	memset(part, 'd', PART_BYTES);
	part[PART_BYTES] = '\0';
	for (size_t bytes = strlen(before); bytes + PART_BYTES + 1 < 4000; bytes += PART_BYTES + 1)
		ck_assert(!mkdir(part, 0700) && !chdir(part));
	write_file("deep", image.bytes, image.count);
	code = map_code("deep");
	frame = name(symbols, code + image.function);
	check_module(&frame, "deep", image.function);
	ck_assert_msg(is_right(&image, frame.symbol), "%s, not %s: %s", frame.symbol,
		      image.names[0], warning);
	ck_assert_uint_eq(warnings, 0);
	ck_assert_int_eq(chdir(before), 0);
	munmap(code, MAP_BYTES);
	peat_symbols__free(symbols);
	free(image.bytes);
}
END_TEST

/* Paths beyond a page cannot be opened; the neighbours keep their names. */
START_TEST(test_path_beyond_a_page)
{
	struct peat_symbols *symbols = new_symbols();
	struct peat_stack_frame frame;
	char part[PART_BYTES + 1], before[4096];
	struct image image = { 0 };
	char *code;

	copy_vdso(&image);
	ck_assert_ptr_nonnull(getcwd(before, sizeof(before)));
	memset(part, 'd', PART_BYTES);
	part[PART_BYTES] = '\0';
	for (size_t bytes = 0; bytes < 3 * 4096; bytes += PART_BYTES + 1)
		ck_assert(!mkdir(part, 0700) && !chdir(part));
	write_file("deeper", image.bytes, image.count);
	code = map_code("deeper");
	frame = name(symbols, code + image.function);
	ck_assert(!frame.symbol || is_right(&image, frame.symbol));
	ck_assert_int_eq(chdir(before), 0);
	write_file("near", image.bytes, image.count);
	munmap(code, MAP_BYTES);
	code = map_code("near");
	peat_symbols__free(symbols);
	symbols = new_symbols();
	frame = name(symbols, code + image.function);
	check_module(&frame, "near", image.function);
	ck_assert_ptr_nonnull(frame.symbol);
	munmap(code, MAP_BYTES);
	peat_symbols__free(symbols);
	free(image.bytes);
}
END_TEST

/* Newlines in a name are \012 in maps: no line of their own. */
START_TEST(test_newlines_in_file_names)
{
	static const char path[] = "a\nffff 00-ff r-xp 0 0 0 0 b";
	struct peat_symbols *symbols = new_symbols();
	struct peat_stack_frame frame;
	struct image image = { 0 };
	char *code;

	copy_vdso(&image);
	write_file(path, image.bytes, image.count);
	code = map_code(path);
	frame = name(symbols, code + image.function);
	ck_assert_msg(is_right(&image, frame.symbol), "%s, not %s", frame.symbol, image.names[0]);
	munmap(code, MAP_BYTES);
	peat_symbols__free(symbols);
	free(image.bytes);
}
END_TEST

/* ---- perf maps ------------------------------------------------------------------------------- */

static char *map_jit(void)
{
	char *code = mmap(NULL, MAP_BYTES, PROT_READ | PROT_WRITE | PROT_EXEC,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ck_assert_ptr_ne(code, MAP_FAILED);
	return code;
}

static const char *perf_map(void)
{
	static char path[64];

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)getpid());
	return path;
}

/* Names of functions of 256 bytes each: "function_0" and so on. */
static size_t fill_perf_map(char *text, size_t room, const char *code)
{
	size_t bytes = 0;

	for (unsigned i = 0; i < MAP_BYTES / 256; i++)
		bytes += (size_t)snprintf(text + bytes, room - bytes,
					  "%" PRIx64 " 100 function_%u\n",
					  (uint64_t)(uintptr_t)code + 256 * i, i);
	return bytes;
}

/* The map ends anywhere: complete lines have names, and the last one if it is whole. */
START_TEST(test_cut_perf_map)
{
	char *code = map_jit(), text[1 << 14], wanted[32];
	size_t bytes = fill_perf_map(text, sizeof(text), code);

	for (size_t count = bytes; count > bytes - 200; count--) {
		struct peat_symbols *symbols = new_symbols();
		unsigned named = 0;

		warnings = 0;
		write_file(perf_map(), text, count);
		for (unsigned i = 0; i < MAP_BYTES / 256; i++) {
			struct peat_stack_frame frame = name(symbols, code + 256 * i + 17);

			snprintf(wanted, sizeof(wanted), "function_%u", i);
			ck_assert_msg(!frame.symbol || !strcmp(frame.symbol, wanted),
				      "%s, not %s, of %zu bytes", frame.symbol, wanted, count);
			ck_assert(!frame.symbol || frame.offset == 17);
			named += frame.symbol != NULL;
		}
		ck_assert_uint_ge(named, MAP_BYTES / 256 - 10);
		ck_assert_msg(warnings <= 1, "%u warnings: %s", warnings, warning);
		peat_symbols__free(symbols);
	}
	unlink(perf_map());
	munmap(code, MAP_BYTES);
}
END_TEST

/* Lines without sense between good ones, and one of all addresses, which later lines replace. */
START_TEST(test_broken_perf_map)
{
	static const char *const lines[] = { "0 ffffffffffffffff whole",
					     "",
					     "no numbers here",
					     "zz 10 hexless",
					     "10",
					     "10 20",
					     "10 20 ",
					     "ffffffffffffffff ffffffffffffffff all",
					     "123456789012345678901234567890 10 long",
					     "-1 10 negative" };
	struct peat_symbols *symbols = new_symbols();
	char *code = map_jit();
	struct peat_stack_frame frame;
	FILE *file = fopen(perf_map(), "w");

	ck_assert_ptr_nonnull(file);
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
		fprintf(file, "%s\n%" PRIx64 " 40 good_%zu\n", lines[i],
			(uint64_t)(uintptr_t)code + 64 * i, i);
	fprintf(file, "%0100000d\n", 0);
	ck_assert_int_eq(fclose(file), 0);
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		char wanted[32];

		snprintf(wanted, sizeof(wanted), "good_%zu", i);
		frame = name(symbols, code + 64 * i + 3);
		ck_assert_msg(frame.symbol && !strcmp(frame.symbol, wanted), "%s, not %s",
			      frame.symbol, wanted);
	}
	ck_assert_msg(warnings <= 1, "%u warnings: %s", warnings, warning);
	peat_symbols__free(symbols);
	unlink(perf_map());
	munmap(code, MAP_BYTES);
}
END_TEST

/* A fifo would block the reader, and a directory is no file. */
START_TEST(test_perf_map_is_no_file)
{
	char *code = map_jit();

	for (int i = 0; i < 2; i++) {
		struct peat_symbols *symbols = new_symbols();

		ck_assert_int_eq(i ? mkdir(perf_map(), 0700) : mkfifo(perf_map(), 0600), 0);
		ck_assert_ptr_null(name(symbols, code + 17).symbol);
		ck_assert_int_eq(remove(perf_map()), 0);
		peat_symbols__free(symbols);
	}
	munmap(code, MAP_BYTES);
}
END_TEST

static Suite *hostile_files_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("hostile_files", 120, &tests);

	tcase_add_checked_fixture(tests, setup, stock_perf__teardown);
	tcase_add_test(tests, test_whole_file);
	tcase_add_test(tests, test_damaged_headers_do_no_harm);
	tcase_add_test(tests, test_damaged_contents_do_no_harm);
	tcase_add_test(tests, test_cut_files);
	tcase_add_test(tests, test_other_file);
	tcase_add_test(tests, test_long_path);
	tcase_add_test(tests, test_path_beyond_a_page);
	tcase_add_test(tests, test_newlines_in_file_names);
	tcase_add_test(tests, test_cut_perf_map);
	tcase_add_test(tests, test_broken_perf_map);
	tcase_add_test(tests, test_perf_map_is_no_file);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { hostile_files_suite };

	return harness__main(argc, argv, suites, 1);
}
