// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_damaged_files.c: programs of another user that take long to read, or much memory, or are cut
 * meanwhile.  peat ends in time all the same, and its memory stays small.
 */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "support/machine/attack.h"
#include "support/machine/harness.h"
#include "support/machine/process.h"
#include "support/recording/recorded_run.h"
#include "support/symbols/made_elf.h"

#define PROGRAM	     "damaged"
#define MEMORY_KIB   ((256 + 64) << 10) /* the limit of tables, and the rest */
#define HOLE_BYTES   (1ULL << 30)
#define HOLE_AT	     (1 << 20)
#define SECTIONS     62
#define SEGMENTS     1000
#define NAME_BYTES   (50 << 20)
#define LINKED_BYTES (1LL << 40)

/* ---- memory ---------------------------------------------------------------------------------- */

/* In shared memory. */
static long *peak_kib;

/* The private memory of a child of the test: pages of files can be reclaimed. */
static long memory_of(const char *pid)
{
	char path[300], line[128], name[32] = "";
	long kib = 0;
	int parent = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%s/status", pid);
	file = fopen(path, "re");
	if (!file)
		return 0;
	while (fgets(line, sizeof(line), file)) {
		sscanf(line, "Name: %31s", name);
		sscanf(line, "PPid: %d", &parent);
		sscanf(line, "RssAnon: %ld", &kib);
	}
	fclose(file);
	return parent != getppid() || strcmp(name, "peat") ? 0 : kib;
}

static int watch_memory(void *unused)
{
	(void)unused;
	for (;;) {
		DIR *proc = opendir("/proc");
		const struct dirent *entry;

		while (proc && (entry = readdir(proc))) {
			long kib = *entry->d_name >= '1' && *entry->d_name <= '9'
					   ? memory_of(entry->d_name)
					   : 0;

			if (kib > *peak_kib)
				*peak_kib = kib;
		}
		closedir(proc);
		usleep(2000);
	}
	return 0;
}

/* peat meets the program of the attacker. */
static void check(int (*attack)(void *))
{
	pid_t attacker, watcher;

	peak_kib = mmap(NULL, sizeof(*peak_kib), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
			-1, 0);
	ck_assert_ptr_ne(peak_kib, MAP_FAILED);
	attacker = attack__start(attack, NULL);
	ck_assert_int_gt(attacker, 0);
	watcher = process__start(watch_memory, NULL);
	attack__meet(attacker, PROGRAM);
	kill(watcher, SIGKILL);
	process__wait(watcher);
	attack__stop(attacker);
	ck_assert_int_gt(*peak_kib, 0);
	ck_assert_msg(*peak_kib < MEMORY_KIB, "%ld KiB", *peak_kib);
}

/* ---- programs -------------------------------------------------------------------------------- */

static int write_program(const char *path, const char *symbol, const char *link)
{
	const struct made_symbol one = { symbol,     MADE_TEXT_OFFSET, ATTACK_CODE_BYTES,
					 STB_GLOBAL, STT_FUNC,	       0,
					 0 };
	struct made_elf made = made_elf__own();
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0755);

	ck_assert_int_ge(fd, 0);
	made.table = symbol ? SHT_SYMTAB : SHT_DYNSYM;
	made.symbols = &one;
	made.symbols_count = symbol != NULL;
	made.text = attack__code();
	made.bytes = ATTACK_CODE_BYTES;
	made.link = link;
	made_elf__write(&made, fd);
	return fd;
}

static int run_program(int fd)
{
	close(fd);
	return attack__spin(attack__map(PROGRAM, MADE_TEXT_OFFSET));
}

static void put(int fd, const void *bytes, size_t count, uint64_t at)
{
	ck_assert_int_eq(pwrite(fd, bytes, count, (off_t)at), (ssize_t)count);
}

/* Tables of symbols and of names of 1 GiB, 60 of them, over the same hole. */
static int run_holes(void *unused)
{
	int fd = write_program(PROGRAM, "function", NULL);
	Elf64_Shdr sections[SECTIONS] = { { 0 } };
	Elf64_Ehdr head;

	(void)unused;
	ck_assert_int_eq(pread(fd, &head, sizeof(head), 0), sizeof(head));
	for (unsigned i = 1; i < SECTIONS; i++)
		sections[i] = (Elf64_Shdr){ .sh_type = i == 1 ? SHT_STRTAB : SHT_SYMTAB,
					    .sh_offset = HOLE_AT,
					    .sh_size = HOLE_BYTES / 24 * 24,
					    .sh_link = 1,
					    .sh_entsize = sizeof(Elf64_Sym) };
	head.e_shoff = HOLE_AT + HOLE_BYTES;
	head.e_shnum = SECTIONS;
	head.e_shstrndx = 0;
	put(fd, sections, sizeof(sections), head.e_shoff);
	put(fd, &head, sizeof(head), 0);
	return run_program(fd);
}

START_TEST(test_tables_of_holes)
{
	check(run_holes);
}
END_TEST

/* Segments of notes, each of 2 GiB. */
static int run_notes(void *unused)
{
	int fd = write_program(PROGRAM, "function", NULL);
	Elf64_Phdr segments[SEGMENTS] = { { 0 } };
	Elf64_Ehdr head;

	(void)unused;
	ck_assert_int_eq(pread(fd, &head, sizeof(head), 0), sizeof(head));
	ck_assert_int_eq(pread(fd, &segments[0], sizeof(segments[0]), (off_t)head.e_phoff),
			 sizeof(segments[0]));
	for (unsigned i = 1; i < SEGMENTS; i++)
		segments[i] = (Elf64_Phdr){ .p_type = PT_NOTE,
					    .p_offset = HOLE_AT,
					    .p_filesz = 2 * HOLE_BYTES };
	head.e_phoff = HOLE_AT + 2 * HOLE_BYTES;
	head.e_phnum = SEGMENTS;
	put(fd, segments, sizeof(segments), head.e_phoff);
	put(fd, &head, sizeof(head), 0);
	return run_program(fd);
}

START_TEST(test_notes_of_holes)
{
	check(run_notes);
}
END_TEST

/* A debug file of 1 TiB without a build-id, whose checksum would tell. */
static int run_linked(void *unused)
{
	int debug = write_program("linked.debug", "function", NULL);

	(void)unused;
	ck_assert_int_eq(ftruncate(debug, LINKED_BYTES), 0);
	close(debug);
	return run_program(write_program(PROGRAM, NULL, "linked.debug"));
}

START_TEST(test_debug_file_of_holes)
{
	check(run_linked);
}
END_TEST

/* The string table of the symbols is moved to the end, where a name is long. */
static int run_named(void *unused)
{
	int fd = write_program(PROGRAM, "function", NULL);
	const uint64_t at = (uint64_t)lseek(fd, 0, SEEK_END);
	char *names = malloc(NAME_BYTES);
	Elf64_Shdr sections[16];
	Elf64_Ehdr head;

	(void)unused;
	ck_assert_ptr_nonnull(names);
	memset(names, 'n', NAME_BYTES);
	names[0] = names[NAME_BYTES - 1] = '\0';
	put(fd, names, NAME_BYTES, at);
	ck_assert_int_eq(pread(fd, &head, sizeof(head), 0), sizeof(head));
	ck_assert_uint_le(head.e_shnum, 16);
	ck_assert_int_gt(pread(fd, sections, sizeof(sections), (off_t)head.e_shoff), 0);
	for (unsigned i = 0; i < head.e_shnum; i++)
		if (sections[i].sh_type == SHT_SYMTAB) {
			sections[sections[i].sh_link].sh_offset = at;
			sections[sections[i].sh_link].sh_size = NAME_BYTES;
		}
	put(fd, sections, head.e_shnum * sizeof(*sections), head.e_shoff);
	return run_program(fd);
}

START_TEST(test_long_name)
{
	check(run_named);
}
END_TEST

/* Cuts the file, and restores its length, for ever: pages that are mapped are gone meanwhile. */
static int run_cut(void *unused)
{
	int fd = write_program(PROGRAM, "function", NULL);
	off_t bytes = lseek(fd, 0, SEEK_END);

	(void)unused;
	if (!fork()) {
		for (;;) {
			ck_assert_int_eq(ftruncate(fd, MADE_TEXT_OFFSET + ATTACK_CODE_BYTES), 0);
			ck_assert_int_eq(ftruncate(fd, bytes), 0);
		}
	}
	return run_program(fd);
}

START_TEST(test_cut_while_read)
{
	check(run_cut);
}
END_TEST

static Suite *damaged_files_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("damaged_files", 60, &tests);

	tcase_add_unchecked_fixture(tests, attack__setup_all, attack__teardown_all);
	tcase_add_checked_fixture(tests, attack__setup, attack__teardown);
	tcase_add_test(tests, test_tables_of_holes);
	tcase_add_test(tests, test_notes_of_holes);
	tcase_add_test(tests, test_debug_file_of_holes);
	tcase_add_test(tests, test_long_name);
	tcase_add_test(tests, test_cut_while_read);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { damaged_files_suite };

	return harness__main(argc, argv, suites, 1);
}
