// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_symbol_cache.c: tables of files, shared, dropped and read again. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <peat/log.h>

#include "support/machine/process.h"
#include "symbols/namer/namer.h"
#include "symbols/files/symbol_cache.h"
#include "unit/suite.h"
#include "support/symbols/made_elf.h"

#define IDS 4

static char directory[] = "/tmp/peat-tables-XXXXXX";
static struct mapped_files files;
static struct symbol_cache cache;
static unsigned warnings;
static char last_warning[512];

static void note_warning(enum peat_log_level level, const char *text)
{
	if (level != PEAT_LOG_WARN)
		return;
	warnings++;
	snprintf(last_warning, sizeof(last_warning), "%s", text);
}

/* A file of one function; build-id `id`, or none for 0. */
static const char *write_file(const char *name, const char *function, int id, uint32_t table)
{
	static const char ids[IDS][21] = { "", "aaaaaaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbbbbbb",
					   "cccccccccccccccccccc" };
	static char path[128];
	const struct made_symbol symbol = { function, 0x1100, 0x20, STB_GLOBAL, STT_FUNC, 0, 0 };
	const struct made_elf made = { .class = ELFCLASS64,
				       .encoding = ELFDATA2LSB,
				       .machine = made_elf__own().machine,
				       .build_id = id ? ids[id] : NULL,
				       .table = table,
				       .symbols = &symbol,
				       .symbols_count = 1 };
	int fd;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	unlink(path);
	fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0700);
	ck_assert_int_ge(fd, 0);
	made_elf__write(&made, fd);
	close(fd);
	return path;
}

/* As a mapping has it: with the inode, or with a build-id. */
static struct mapped_file *map(const char *path, int id)
{
	struct mapped_key key = { .path = path };
	struct stat found;

	ck_assert_int_eq(stat(path, &found), 0);
	if (id) {
		char text[21];

		memset(text, 'a' + id - 1, 20);
		build_id__set(&key.build_id, text, 20);
	} else {
		key.inode = found.st_ino;
		key.major = major(found.st_dev);
		key.minor = minor(found.st_dev);
	}
	return mapped_files__get(&files, &key);
}

static struct symbol_table *get(struct mapped_file *file, uint32_t pid)
{
	const struct file_place place = { pid, 0x5000, 0x6000, false, NULL };

	return symbol_cache__get(&cache, file, &place);
}

/* "": the file cannot be read. */
static void check(struct mapped_file *file, const char *function)
{
	struct symbol_table *table = get(file, 1);
	uint64_t vaddr;
	struct elf_symbol *symbol = table ? symbol_table__find(table, 0x1110, &vaddr) : NULL;

	const char *name = symbol ? symbol_cache__name(&cache, table, symbol) : "";

	ck_assert_msg(!strcmp(name, function), "%s, not %s: %s", name, function, last_warning);
}

static void begin(void)
{
	ck_assert_ptr_nonnull(mkdtemp(directory));
	peat_set_print(note_warning);
	cache.most_bytes = 1 << 20;
	files.release = symbol_cache__release;
	files.arg = &cache;
}

static void finish(void)
{
	char command[128];

	symbol_cache__free(&cache);
	snprintf(command, sizeof(command), "rm -rf %s", directory);
	ck_assert_int_eq(system(command), 0);
}

/* Two files with a build-id, the second one of `owner`; whether they share a table. */
static bool share(uid_t owner, mode_t mode)
{
	struct mapped_file *one, *other;
	const char *path;
	bool is_shared;

	one = map(write_file("one", "function", 1, 0), 0);
	path = write_file("copy", "function", 1, 0);
	ck_assert_int_eq(chmod(path, mode), 0);
	ck_assert_int_eq(chown(path, owner, (gid_t)-1), 0);
	other = map(path, 0);
	check(one, "function");
	check(other, "function");
	is_shared = one->table == other->table;
	mapped_files__put(&files, one);
	mapped_files__put(&files, other);
	return is_shared;
}

/*
 * Files of root that have a build-id are one.  Others could name the functions of a library in all
 * processes by a copy with its build-id.
 */
START_TEST(test_files_of_root_share_tables)
{
	begin();
	if (geteuid()) {
		ck_assert(!share(geteuid(), 0700));
	} else {
		ck_assert(share(0, 0755));
		ck_assert_uint_eq(cache.read, 1);
		ck_assert(!share(12345, 0755));
		ck_assert(!share(0, 0775));
		ck_assert(!share(0, 0757));
		ck_assert_uint_eq(cache.read, 4);
	}
	finish();
}
END_TEST

/* A link to a file has its table. */
START_TEST(test_same_file)
{
	struct mapped_file *one, *other;
	char path[128];

	begin();
	one = map(write_file("one", "function", 0, 0), 0);
	snprintf(path, sizeof(path), "%s/link", directory);
	ck_assert_int_eq(link(one->key.path, path), 0);
	other = map(path, 0);
	check(one, "function");
	check(other, "function");
	ck_assert_ptr_eq(one->table, other->table);
	ck_assert_uint_eq(cache.read, 1);
	mapped_files__put(&files, one);
	mapped_files__put(&files, other);
	finish();
}
END_TEST

START_TEST(test_without_build_id)
{
	struct mapped_file *one, *other;

	begin();
	one = map(write_file("one", "function", 0, 0), 0);
	other = map(write_file("other", "function2", 0, 0), 0);
	check(one, "function");
	check(other, "function2");
	ck_assert_uint_eq(cache.read, 2);
	finish();
}
END_TEST

/* The table used least recently is dropped, and read again; the last one stays. */
START_TEST(test_least_used_table_is_dropped)
{
	struct mapped_file *mapped[3];
	char name[8], function[16];

	begin();
	for (int i = 0; i < 3; i++) {
		snprintf(name, sizeof(name), "%d", i);
		snprintf(function, sizeof(function), "function%d", i);
		mapped[i] = map(write_file(name, function, i + 1, 0), 0);
		check(mapped[i], function);
	}
	check(mapped[0], "function0");
	cache.most_bytes = cache.memory_bytes - 1;
	symbol_cache__trim(&cache);
	ck_assert_uint_eq(cache.dropped, 1);
	ck_assert_uint_eq(cache.loaded, 2);
	ck_assert(!mapped[1]->table->is_loaded);
	ck_assert(mapped[0]->table->is_loaded);
	check(mapped[1], "function1");
	ck_assert_uint_eq(cache.read, 4);
	cache.most_bytes = 1;
	symbol_cache__trim(&cache);
	ck_assert_uint_eq(cache.loaded, 1);
	check(mapped[1], "function1");
	ck_assert_uint_eq(cache.read, 4);
	check(mapped[2], "function2");
	symbol_cache__trim(&cache);
	ck_assert_uint_eq(cache.loaded, 1);
	ck_assert(!mapped[1]->table->is_loaded);
	for (int i = 0; i < 3; i++)
		mapped_files__put(&files, mapped[i]);
	ck_assert_uint_eq(cache.by_key.count, 1);
	finish();
}
END_TEST

/*
 * A stack through large files: tables that it does not use are dropped for others, those that it
 * uses stay, and files of others than root are not read beyond the limit.
 */
START_TEST(test_room_for_large_files)
{
	const uint64_t large = 64 << 20;
	struct mapped_file *mapped[3];
	char name[8], function[16];

	begin();
	symbol_cache__trim(&cache);
	for (int i = 0; i < 3; i++) {
		snprintf(name, sizeof(name), "%d", i);
		snprintf(function, sizeof(function), "function%d", i);
		mapped[i] = map(write_file(name, function, i + 1, 0), 0);
		check(mapped[i], function);
	}
	cache.most_bytes = cache.memory_bytes;
	ck_assert_int_eq(symbol_cache__make_room(&cache, 1, false), 0);
	ck_assert_int_eq(symbol_cache__make_room(&cache, large, false), -EBUSY);
	ck_assert_int_eq(symbol_cache__make_room(&cache, large, true), 0);
	ck_assert_uint_eq(cache.loaded, 3);
	symbol_cache__trim(&cache);
	check(mapped[2], "function2");
	ck_assert_int_eq(symbol_cache__make_room(&cache, 1, false), 0);
	ck_assert_uint_eq(cache.loaded, 2);
	ck_assert_int_eq(symbol_cache__make_room(&cache, large, false), -EBUSY);
	ck_assert_uint_eq(cache.loaded, 1);
	ck_assert(mapped[2]->table->is_loaded);
	symbol_cache__trim(&cache);
	ck_assert_int_eq(symbol_cache__make_room(&cache, large, false), 0);
	ck_assert_uint_eq(cache.loaded, 0);
	for (int i = 0; i < 3; i++)
		mapped_files__put(&files, mapped[i]);
	finish();
}
END_TEST

/* Small files beside a table in use that is larger than the limit are read. */
START_TEST(test_room_beside_large)
{
	struct mapped_file *file;

	begin();
	file = map(write_file("large", "large", 1, 0), 0);
	check(file, "large");
	file->table->symbols.bytes += 64 << 20;
	symbol_cache__count(&cache, file->table);
	ck_assert_int_eq(symbol_cache__make_room(&cache, 1 << 20, false), 0);
	ck_assert(file->table->is_loaded);
	file->table->symbols.bytes -= 64 << 20;
	symbol_cache__count(&cache, file->table);
	mapped_files__put(&files, file);
	finish();
}
END_TEST

/* Perf maps share the limit. */
START_TEST(test_other_memory)
{
	struct mapped_file *one, *other;

	begin();
	one = map(write_file("one", "one", 1, 0), 0);
	other = map(write_file("other", "other", 2, 0), 0);
	check(one, "one");
	check(other, "other");
	symbol_cache__trim(&cache);
	ck_assert_uint_eq(cache.loaded, 2);
	cache.other_bytes = cache.most_bytes;
	symbol_cache__trim(&cache);
	ck_assert_uint_eq(cache.loaded, 1);
	mapped_files__put(&files, one);
	mapped_files__put(&files, other);
	finish();
}
END_TEST

/* The only child: the namer of files that root does not own. */
static pid_t namer_pid;

static void find_namer(void)
{
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/task/%d/children", getpid());
	file = fopen(path, "re");
	ck_assert_ptr_nonnull(file);
	ck_assert_int_eq(fscanf(file, "%d", &namer_pid), 1);
	fclose(file);
}

/* A file that root does not own alone. */
static struct mapped_file *map_of_other(const char *name, off_t bytes)
{
	const char *path = write_file(name, name, 0, 0);

	ck_assert_int_eq(chmod(path, 0777), 0);
	if (bytes)
		ck_assert_int_eq(truncate(path, bytes), 0);
	return map(path, 0);
}

/* Names are wanted at once, but the namer reads nothing until take_all(). */
static void begin_late(void)
{
	struct mapped_file *first;

	begin();
	cache.reader.namer = namer__new("/proc/self/exe");
	first = map_of_other("first", 0);
	check(first, "first");
	mapped_files__put(&files, first);
	find_namer();
	ck_assert_int_eq(kill(namer_pid, SIGSTOP), 0);
	cache.reader.patience = NAMER_NOW;
}

/* Waits until the namer has read all. */
static void take_all(void)
{
	ck_assert_int_eq(kill(namer_pid, SIGCONT), 0);
	while (cache.late.count) {
		usleep(1000);
		symbol_cache__take_late(&cache);
	}
}

/*
 * Events go on while a namer reads files: of those that have gone meanwhile, too, and of several.
 * The symbols of a file that cannot be read are not asked for again.
 */
START_TEST(test_late_files_are_named)
{
	unsigned fds = process__count_fds();
	struct mapped_file *mapped[3], *damaged;
	char name[8];

	begin_late();
	for (int i = 0; i < 3; i++) {
		snprintf(name, sizeof(name), "%d", i);
		mapped[i] = map_of_other(name, 0);
		check(mapped[i], "");
		check(mapped[i], "");
		unlink(mapped[i]->key.path);
	}
	damaged = map_of_other("damaged", 20);
	check(damaged, "");
	ck_assert_uint_eq(cache.late.count, 4);
	mapped_files__put(&files, mapped[2]); /* its last process has ended */
	take_all();
	check(mapped[0], "0");
	check(mapped[1], "1");
	ck_assert_uint_eq(warnings, 0);
	check(damaged, "");
	ck_assert_uint_eq(warnings, 1);
	ck_assert_ptr_nonnull(strstr(last_warning, "not a valid ELF file"));
	ck_assert_uint_eq(cache.late.count, 0);
	mapped_files__put(&files, mapped[0]);
	mapped_files__put(&files, mapped[1]);
	mapped_files__put(&files, damaged);
	namer__free(cache.reader.namer);
	finish();
	ck_assert_uint_eq(process__count_fds(), fds);
}
END_TEST

/* The files of an owner who has used up the time have names afterwards: that is no failure of
 * theirs. */
START_TEST(test_busy_owner)
{
	struct mapped_file *file;

	begin();
	cache.reader.namer = namer__new("/proc/self/exe");
	file = map_of_other("file", 0);
	for (int i = 0; i < 6; i++)
		namer__distrust(cache.reader.namer,
				&(struct namer_request){ .search.program.st_uid = geteuid() });
	ck_assert_uint_eq(warnings, 1); /* of the owner */
	for (int i = 0; i < 20; i++)
		check(file, "");
	ck_assert_uint_eq(warnings, 1);
	ck_assert_uint_eq(file->failures, 0);
	namer__free(cache.reader.namer); /* and its accounts */
	cache.reader.namer = namer__new("/proc/self/exe");
	file->retry_ns = 1; /* is over */
	check(file, "file");
	mapped_files__put(&files, file);
	namer__free(cache.reader.namer);
	finish();
}
END_TEST

/* Files that wait when names are not wanted any more. */
START_TEST(test_late_for_ever)
{
	unsigned fds = process__count_fds();
	struct mapped_file *one, *other;

	begin_late();
	one = map_of_other("one", 0);
	other = map_of_other("other", 0);
	check(one, "");
	check(other, "");
	ck_assert_uint_eq(cache.late.count, 2);
	mapped_files__put(&files, one);
	mapped_files__put(&files, other);
	namer__free(cache.reader.namer);
	finish();
	ck_assert_uint_eq(process__count_fds(), fds);
}
END_TEST

/* A file that was replaced: by its inode, or by its build-id. */
START_TEST(test_replaced_file_is_not_read)
{
	struct mapped_file *by_inode, *by_id;
	const char *path;

	begin();
	path = write_file("program", "old", 1, 0);
	by_inode = map(path, 0);
	by_id = map(path, 1);
	/* Both exist for a while, so that the new one has another inode. */
	write_file("new", "wrong", 2, 0);
	ck_assert_int_eq(
		renameat(AT_FDCWD, write_file("new2", "wrong", 2, 0), AT_FDCWD, by_id->key.path),
		0);
	check(by_inode, "");
	ck_assert_uint_eq(warnings, 1);
	ck_assert_ptr_nonnull(strstr(last_warning, "program"));
	ck_assert_ptr_nonnull(strstr(last_warning, "another one"));
	check(by_id, "");
	ck_assert_uint_eq(warnings, 2);
	check(by_inode, "");
	check(by_id, "");
	ck_assert_uint_eq(warnings, 2);
	finish();
}
END_TEST

START_TEST(test_no_elf)
{
	struct mapped_file *file;
	const char *path;

	begin();
	path = write_file("program", "function", 0, 0);
	ck_assert_int_eq(truncate(path, 20), 0);
	file = map(path, 0);
	check(file, "");
	ck_assert_uint_eq(warnings, 1);
	ck_assert_ptr_nonnull(strstr(last_warning, "not a valid ELF file"));
	finish();
}
END_TEST

/* Another process may have the file within reach, but not one after another for ever. */
START_TEST(test_other_processes)
{
	struct mapped_file *file;
	const char *path;

	begin();
	path = write_file("program", "function", 1, 0);
	file = map(path, 1);
	unlink(path);
	ck_assert_ptr_null(get(file, 1));
	write_file("program", "function", 1, 0);
	ck_assert_ptr_null(get(file, 1));
	ck_assert_ptr_nonnull(get(file, 2));
	ck_assert_uint_eq(warnings, 1);
	finish();
}
END_TEST

START_TEST(test_stripped_file_is_warned_about)
{
	struct mapped_file *file;

	begin();
	file = map(write_file("program", "exported", 1, SHT_DYNSYM), 0);
	check(file, "exported");
	ck_assert(file->table->is_stripped);
	ck_assert_uint_eq(warnings, 0);
	symbol_cache__warn_stripped(&cache, file);
	symbol_cache__warn_stripped(&cache, file);
	ck_assert_uint_eq(warnings, 1);
	ck_assert_ptr_nonnull(strstr(last_warning, "stripped"));
	finish();
}
END_TEST

FORKED_SUITE(20)
{
	tcase_add_test(tests, test_files_of_root_share_tables);
	tcase_add_test(tests, test_same_file);
	tcase_add_test(tests, test_without_build_id);
	tcase_add_test(tests, test_least_used_table_is_dropped);
	tcase_add_test(tests, test_room_for_large_files);
	tcase_add_test(tests, test_room_beside_large);
	tcase_add_test(tests, test_other_memory);
	tcase_add_test(tests, test_late_files_are_named);
	tcase_add_test(tests, test_busy_owner);
	tcase_add_test(tests, test_late_for_ever);
	tcase_add_test(tests, test_replaced_file_is_not_read);
	tcase_add_test(tests, test_no_elf);
	tcase_add_test(tests, test_other_processes);
	tcase_add_test(tests, test_stripped_file_is_warned_about);
}
