// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_loaded_functions.c: the code of BPF programs has the names that /proc/kallsyms has. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <bpf/bpf.h>

#include "sys/loaded_functions.h"
#include "unit/suite.h"

#define NAME "counted_code"

static char found[512];
static struct loaded_function function;

static void keep(void *arg, const struct loaded_function *loaded)
{
	(void)arg;
	if (!strstr(loaded->name, "_" NAME))
		return;
	function = *loaded;
	snprintf(found, sizeof(found), "%s", loaded->name);
}

/* The address of a symbol; 0: there is none, or it is hidden. */
static uint64_t address_of(const char *name)
{
	FILE *file = fopen("/proc/kallsyms", "re");
	char line[1024], symbol[512];
	uint64_t address, is_at = 0;

	ck_assert_ptr_nonnull(file);
	while (!is_at && fgets(line, sizeof(line), file))
		if (sscanf(line, "%" SCNx64 " %*c %511s", &address, symbol) == 2 &&
		    !strcmp(symbol, name))
			is_at = address;
	fclose(file);
	return is_at;
}

static int load_program(void)
{
	static const struct bpf_insn pass[] = { { .code = 0xb7 }, { .code = 0x95 } };

	return bpf_prog_load(BPF_PROG_TYPE_SOCKET_FILTER, NAME, "GPL", pass, 2, NULL);
}

START_TEST(test_names_are_those_of_kallsyms)
{
	int fd = load_program(), err = loaded_functions__each(keep, NULL);

	if (fd < 0 || err == -EPERM)
		skip("no privilege to load programs and to list them");
	ck_assert_int_eq(err, 0);
	if (!*found)
		skip("this kernel has no JIT, or hides the addresses of programs");
	ck_assert_uint_eq(address_of(found), function.address);
	ck_assert_uint_gt(function.bytes, 2);
	ck_assert_uint_lt(function.bytes, 200);
	close(fd);
}
END_TEST

START_TEST(test_program_that_is_gone)
{
	int fd = load_program();

	if (fd < 0)
		skip("no privilege to load programs");
	close(fd);
	usleep(100000); /* the kernel frees it a little later */
	*found = '\0';
	loaded_functions__each(keep, NULL);
	ck_assert_str_eq(found, "");
}
END_TEST

SUITE(30)
{
	tcase_add_test(tests, test_names_are_those_of_kallsyms);
	tcase_add_test(tests, test_program_that_is_gone);
}
