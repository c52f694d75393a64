// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* where_schema.c: schemas for tests of expressions, and what was logged. */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <bpf/btf.h>

#include <peat/log.h>

#include "support/machine/object.h"
#include "tracepoint/format_parse.h"
#include "unit/suite.h"
#include "unit/where/where_schema.h"

EMBED_OBJECT(kinds)

struct btf *where_schema__btf(const void *object, size_t bytes)
{
	int fd = memfd_create("object", 0);
	struct btf *btf;
	char path[64];

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, object, bytes), (ssize_t)bytes);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	btf = btf__parse_elf(path, NULL);
	ck_assert_ptr_nonnull(btf);
	close(fd);
	return btf;
}

struct peat_schema *where_schema__kinds(void)
{
	struct btf *btf = where_schema__btf(kinds_object.bytes, *kinds_object.count);
	struct peat_schema *schema = peat_schema__new(
		btf, (uint32_t)btf__find_by_name_kind(btf, "kinds", BTF_KIND_STRUCT));

	ck_assert_ptr_nonnull(schema);
	btf__free(btf);
	return schema;
}

struct peat_schema *where_schema__tracepoint(void)
{
	static const char text[] =
		"name: probe\nID: 7\nformat:\n"
		"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
		"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
		"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
		"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
		"\tfield:int number;\toffset:8;\tsize:4;\tsigned:1;\n"
		"\tfield:__data_loc char[] path;\toffset:12;\tsize:4;\tsigned:0;\n"
		"\tfield:__data_loc u32[] list;\toffset:16;\tsize:4;\tsigned:0;\n\n"
		"print fmt: \"%d\", REC->number\n";
	struct trace_format format;
	const char *why = "";
	struct peat_schema *schema;
	int err = format_parse__text(&format, "test", text, sizeof(text) - 1, 8, &why);

	ck_assert_msg(!err, "%s", why);
	schema = format.schema;
	format.schema = NULL;
	format_parse__free(&format);
	return schema;
}

static char logged[2048];
static int errors;

static void note(enum peat_log_level level, const char *text)
{
	if (level != PEAT_LOG_ERROR)
		return;
	snprintf(logged, sizeof(logged), "%s", text);
	errors++;
}

void where_schema__catch(void)
{
	peat_set_print(note);
	logged[0] = 0;
	errors = 0;
}

const char *where_schema__error(void)
{
	return logged;
}

int where_schema__errors(void)
{
	return errors;
}

int where_schema__column(void)
{
	const char *last = strrchr(logged, '\n');

	return last && last[strspn(last + 1, " ") + 1] == '^' ? (int)strlen(last + 1) - 3 : -1;
}
