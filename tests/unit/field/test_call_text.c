// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_call_text.c: arguments of system calls as text, each class of argument. */
#include <string.h>

#include "field/call_names.h"
#include "field/call_text.h"
#include "field/fields.h"
#include "unit/suite.h"

static struct call_values values;

static void setup(void)
{
	values = (struct call_values){ .machine = CALL_X86_64 };
}

static void check(const char *name, const char *expected)
{
	const struct call *call = call_table__find(name, values.machine);
	struct strbuf out = { 0 };

	ck_assert_msg(call, "%s is not in the table", name);
	call_text__append(&out, call, &values);
	strbuf__char(&out, 0);
	ck_assert_str_eq(out.bytes, expected);
	strbuf__free(&out);
}

/* Up to six arguments, the others are what registers had. */
#define CHECK(expected, name, ...)                                                                 \
	do {                                                                                       \
		const uint64_t args_[] = { __VA_ARGS__ };                                          \
                                                                                                   \
		memset(values.args, 0xee, sizeof(values.args));                                    \
		memcpy(values.args, args_, sizeof(args_));                                         \
		check(name, expected);                                                             \
	} while (0)

#define FDCWD 0xffffff9cULL

static void set_memory(uint32_t texts, const char *memory, size_t bytes)
{
	values.texts = texts;
	values.memory = memory;
	values.memory_bytes = (uint32_t)bytes;
}

/* ---- numbers --------------------------------------------------------------------------------- */

START_TEST(test_numbers_of_a_call)
{
	CHECK("fd=3 buf=0x7ffd count=4096", "read", 3, 0x7ffd, 4096);
	CHECK("fd=-1 buf=NULL count=0", "read", 0xffffffff, 0, 0);
	CHECK("fd=5 offset=-2 whence=SEEK_END", "lseek", 5, (uint64_t)-2, 2);
	CHECK("mask=022", "umask", 022);
	CHECK("mask=0", "umask", 0);
	CHECK("path=0x10 length=-1", "truncate", 0x10, (uint64_t)-1);
	CHECK("", "getpid", 0);
}
END_TEST

/* The kernel reads the lower half of a register for an int. */
START_TEST(test_upper_half_is_ignored)
{
	CHECK("fd=3", "close", 0xabcd00000003ULL);
	CHECK("fd=-9", "close", 0xfffffff7ULL);
	CHECK("pid=-1 sig=SIGKILL", "kill", (uint64_t)-1, 0x100000009ULL);
}
END_TEST

START_TEST(test_names_of_signals)
{
	CHECK("pid=1 sig=SIGTERM", "kill", 1, 15);
	CHECK("pid=1 sig=SIGRTMIN+1", "kill", 1, 35);
	CHECK("pid=1 sig=0", "kill", 1, 0);
	CHECK("pid=1 sig=99", "kill", 1, 99);
}
END_TEST

/* ---- names ----------------------------------------------------------------------------------- */

START_TEST(test_names_of_flags)
{
	CHECK("addr=NULL len=4096 prot=PROT_READ|PROT_WRITE flags=MAP_PRIVATE|MAP_ANONYMOUS fd=-1 "
	      "off=0",
	      "mmap", 0, 4096, 3, 0x22, 0xffffffff, 0);
	CHECK("start=0x1000 len=1 prot=PROT_NONE", "mprotect", 0x1000, 1, 0);
	CHECK("start=0x1000 len=1 prot=PROT_EXEC|0x40", "mprotect", 0x1000, 1, 0x44);
	CHECK("fd=1 cmd=LOCK_EX|LOCK_NB", "flock", 1, 6);
	CHECK("unshare_flags=CLONE_NEWTIME", "unshare", 0x80);
	CHECK("unshare_flags=CLONE_NEWNS|CLONE_NEWNET", "unshare", 0x40020000);
}
END_TEST

START_TEST(test_names_of_constants)
{
	CHECK("start=0x1000 len_in=8 behavior=MADV_DONTNEED", "madvise", 0x1000, 8, 4);
	CHECK("start=0x1000 len_in=8 behavior=77", "madvise", 0x1000, 8, 77);
	CHECK("fd=7 how=SHUT_WR", "shutdown", 7, 1);
	CHECK("which_clock=CLOCK_MONOTONIC tp=NULL", "clock_gettime", 1, 0);
	CHECK("who=RUSAGE_CHILDREN ru=NULL", "getrusage", 0xffffffff, 0);
	CHECK("fd=1 cmd=TCGETS arg=0x10", "ioctl", 1, 0x5401, 0x10);
	CHECK("fd=1 cmd=0xabcd0001 arg=0", "ioctl", 1, 0xabcd0001, 0);
}
END_TEST

START_TEST(test_open_flags)
{
	CHECK("dfd=AT_FDCWD filename=NULL flags=O_RDONLY", "openat", FDCWD, 0, 0, 0644);
	CHECK("dfd=4 filename=NULL flags=O_RDONLY|O_CLOEXEC", "openat", 4, 0, 02000000, 0644);
	CHECK("filename=NULL flags=O_WRONLY|O_CREAT|O_TRUNC mode=0644", "open", 0, 01101, 0644);
	CHECK("filename=NULL flags=O_RDWR|O_TMPFILE mode=0600", "open", 0, 020200002, 0600);
	CHECK("filename=NULL flags=O_ACCMODE|O_SYNC", "open", 0, 04010003, 0600);
	CHECK("filename=NULL flags=O_RDONLY|O_DIRECTORY|0x40000000", "open", 0, 0x40010000, 0);
}
END_TEST

START_TEST(test_numbers_with_flags)
{
	CHECK("family=AF_INET type=SOCK_STREAM|SOCK_CLOEXEC protocol=IPPROTO_TCP", "socket", 2,
	      02000001, 6);
	CHECK("family=AF_NETLINK type=SOCK_RAW protocol=NETLINK_ROUTE", "socket", 16, 3, 0);
	CHECK("family=AF_UNIX type=SOCK_DGRAM protocol=0", "socket", 1, 2, 0);
	CHECK("family=99 type=9 protocol=8", "socket", 99, 9, 8);
	CHECK("uaddr=0x10 op=FUTEX_WAIT|FUTEX_PRIVATE_FLAG val=2 utime=NULL uaddr2=NULL val3=0",
	      "futex", 0x10, 128, 2, 0, 0, 0);
	CHECK("key=0 nsems=1 semflg=IPC_CREAT|0600", "semget", 0, 1, 01600);
	CHECK("key=0x1 nsems=1 semflg=0", "semget", 1, 1, 0);
	CHECK("flags=CLONE_VM|CLONE_VFORK|SIGCHLD newsp=NULL parent_tidptr=NULL "
	      "child_tidptr=NULL tls=NULL",
	      "clone", 0x4111, 0, 0, 0, 0);
	CHECK("flags=SIGCHLD newsp=NULL parent_tidptr=NULL child_tidptr=NULL tls=NULL", "clone", 17,
	      0, 0, 0, 0);
}
END_TEST

/* The meaning of an argument depends on the one before it. */
START_TEST(test_arguments_by_command)
{
	CHECK("fd=3 cmd=F_GETFL", "fcntl", 3, 3, 0x1234);
	CHECK("fd=3 cmd=F_SETFL arg=O_RDWR|O_NONBLOCK", "fcntl", 3, 4, 04002);
	CHECK("fd=3 cmd=F_SETFD arg=FD_CLOEXEC", "fcntl", 3, 2, 1);
	CHECK("fd=3 cmd=F_ADD_SEALS arg=0", "fcntl", 3, 1033, 0);
	CHECK("fd=3 cmd=F_NOTIFY arg=0x80000001", "fcntl", 3, 1026, 0x80000001);
	CHECK("fd=3 cmd=F_DUPFD_CLOEXEC arg=10", "fcntl", 3, 1030, 10);
	CHECK("fd=3 cmd=F_SETSIG arg=SIGUSR1", "fcntl", 3, 10, 10);
	CHECK("fd=3 cmd=F_SETLK arg=0x7ffd", "fcntl", 3, 6, 0x7ffd);
	CHECK("fd=3 cmd=4711 arg=0x7ffd", "fcntl", 3, 4711, 0x7ffd);
	CHECK("fd=3 level=SOL_SOCKET optname=SO_REUSEADDR optval=NULL optlen=4", "setsockopt", 3, 1,
	      2, 0, 4);
	CHECK("fd=3 level=SOL_TCP optname=TCP_NODELAY optval=NULL optlen=4", "setsockopt", 3, 6, 1,
	      0, 4);
	CHECK("fd=3 level=4711 optname=1 optval=NULL optlen=4", "setsockopt", 3, 4711, 1, 0, 4);
}
END_TEST

/* ---- machines -------------------------------------------------------------------------------- */

START_TEST(test_machines_differ)
{
	values.machine = CALL_ARM64;
	CHECK("dfd=AT_FDCWD filename=NULL flags=O_RDONLY|O_DIRECTORY", "openat", FDCWD, 0, 040000,
	      0);
	CHECK("flags=SIGCHLD newsp=NULL parent_tidptr=NULL tls=0x1 child_tidptr=NULL", "clone", 17,
	      0, 0, 1, 0);
	values.machine = CALL_S390X;
	CHECK("filename=NULL flags=O_RDONLY|O_DIRECT", "open", 0, 040000, 0);
	CHECK("newsp=NULL flags=SIGCHLD parent_tidptr=NULL child_tidptr=NULL tls=NULL", "clone", 0,
	      17, 0, 0, 0);
	CHECK("arg=0x3ff0", "mmap", 0x3ff0);
}
END_TEST

/* ---- memory ---------------------------------------------------------------------------------- */

START_TEST(test_texts_of_calls)
{
	set_memory(2, "/etc/motd", sizeof("/etc/motd"));
	CHECK("dfd=AT_FDCWD filename=\"/etc/motd\" flags=O_RDONLY", "openat", FDCWD, 0x10, 0, 0);
	set_memory(3, "/one\0/two", sizeof("/one\0/two"));
	CHECK("oldname=\"/one\" newname=\"/two\"", "rename", 0x10, 0x20);
	set_memory(2, "/two", sizeof("/two"));
	CHECK("oldname=0x10 newname=\"/two\"", "rename", 0x10, 0x20);
	set_memory(1, "", 1);
	CHECK("filename=\"\"", "chdir", 0x10);
	set_memory(1, "a\n\"b\\\x1b[31m", sizeof("a\n\"b\\\x1b[31m"));
	CHECK("filename=\"a\\n\\\"b\\\\\\x1b[31m\"", "chdir", 0x10);
}
END_TEST

/* The bits promise more than there is. */
START_TEST(test_missing_memory)
{
	set_memory(3, "/one", sizeof("/one"));
	CHECK("oldname=\"/one\" newname=0x20", "rename", 0x10, 0x20);
	set_memory(3, "/one", sizeof("/one") - 1);
	CHECK("oldname=\"/one\" newname=0x20", "rename", 0x10, 0x20);
	set_memory(1, NULL, 0);
	CHECK("filename=0x10", "chdir", 0x10);
	CHECK("filename=NULL", "chdir", 0);
}
END_TEST

START_TEST(test_addresses_of_sockets)
{
	static const char ipv4[ENDPOINT_BYTES] = { [10] = -1, -1, 127, 0, 0, 1, 0x1f, -112 };
	static const char ipv6[ENDPOINT_BYTES] = { [15] = 1, [17] = 80 };

	CHECK("fd=3 addr=0x10 addrlen=16", "connect", 3, 0x10, 16);
	values.endpoint = ipv4;
	CHECK("fd=3 addr=0x10 addrlen=16", "connect", 3, 0x10, 16);
	values.texts = 2;
	CHECK("fd=3 addr=127.0.0.1:8080 addrlen=16", "connect", 3, 0x10, 16);
	values.endpoint = ipv6;
	CHECK("fd=3 addr=[::1]:80 addrlen=28", "bind", 3, 0x10, 28);
	set_memory(2, "@name", sizeof("@name"));
	CHECK("fd=3 addr=\"@name\" addrlen=7", "connect", 3, 0x10, 7);
}
END_TEST

/* ---- tables ---------------------------------------------------------------------------------- */

START_TEST(test_calls_are_sorted)
{
	uint32_t count;
	const struct call *calls = call_table__all(&count);

	ck_assert_uint_gt(count, 300);
	for (uint32_t i = 0; i < count; i++) {
		ck_assert(!i || strcmp(calls[i - 1].name, calls[i].name) < 0);
		ck_assert_uint_le(calls[i].count, CALL_ARGUMENTS_MAX);
		ck_assert_ptr_eq(call_table__find(calls[i].name, CALL_X86_64), &calls[i]);
		for (uint32_t k = 0; k < calls[i].count; k++)
			ck_assert_msg(*calls[i].arguments[k].name, "%s", calls[i].name);
	}
	ck_assert_ptr_null(call_table__find("no_such_call", CALL_X86_64));
}
END_TEST

static void check_names(const struct peat_field *field)
{
	ck_assert(field->bytes == 4 || field->bytes == 8);
	for (uint32_t i = 1; i < field->name_count; i++)
		ck_assert_msg(field->names[i - 1].value < field->names[i].value, "%s",
			      field->names[i].name);
}

START_TEST(test_names_are_sorted)
{
	for (uint32_t class = 0; class < CALL_CLASS_COUNT; class ++)
		check_names(call_names__of(class, CALL_X86_64));
	check_names(call_names__of(CALL_OPEN, CALL_ARM64));
	for (uint32_t number = 0; number < 300; number++) {
		check_names(call_names__protocols(number));
		check_names(call_names__socket_options(number));
	}
	check_names(&call_names__ioctls);
	check_names(&call_names__futex_flags);
	check_names(&call_names__socket_flags);
	check_names(&call_names__ipc_flags);
}
END_TEST

SUITE(5)
{
	tcase_add_checked_fixture(tests, setup, NULL);
	tcase_add_test(tests, test_numbers_of_a_call);
	tcase_add_test(tests, test_upper_half_is_ignored);
	tcase_add_test(tests, test_names_of_signals);
	tcase_add_test(tests, test_names_of_flags);
	tcase_add_test(tests, test_names_of_constants);
	tcase_add_test(tests, test_open_flags);
	tcase_add_test(tests, test_numbers_with_flags);
	tcase_add_test(tests, test_arguments_by_command);
	tcase_add_test(tests, test_machines_differ);
	tcase_add_test(tests, test_texts_of_calls);
	tcase_add_test(tests, test_missing_memory);
	tcase_add_test(tests, test_addresses_of_sockets);
	tcase_add_test(tests, test_calls_are_sorted);
	tcase_add_test(tests, test_names_are_sorted);
}
