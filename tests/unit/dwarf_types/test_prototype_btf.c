// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_prototype_btf.c: prototypes of functions of this program, which is compiled with -g. */
#include <errno.h>
#include <linux/btf.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>
#include <bpf/btf.h>

#include "functions/function_field.h"
#include "functions/user_functions.h"
#include "functions/user_prototypes.h"
#include "support/machine/command.h"
#include "unit/suite.h"
#include "unit/symbols/separated.h"

#ifdef HAVE_LIBDW
#define need_libdw()
#else
#define need_libdw() skip("built without libdw")
#endif

/* ---- functions ------------------------------------------------------------------------------- */

#define DESCRIBED __attribute__((noinline, used))

enum dw_mode { DW_MODE_READ = 3, DW_MODE_WRITE = 70000 };

struct dw_secret;

typedef struct {
	int x, y;
} dw_point_t;

struct dw_request {
	unsigned long id;
	struct dw_request *next;
	union {
		int code;
		float ratio;
	};
	unsigned flag : 3;
	char label[24];
	const char *const path;
	struct {
		dw_point_t *points;
		enum dw_mode mode;
	} inner;
	volatile short table[2][5];
	struct dw_secret *secret;
};

DESCRIBED int dw_handle(const struct dw_request *r, const char *name, enum dw_mode m,
			unsigned flags)
{
	return r && name && m ? (int)flags : 0;
}

DESCRIBED void dw_nothing(void)
{
	__asm__ volatile("");
}

DESCRIBED struct dw_request *dw_variadic(double d, ssize_t (*call)(void *, size_t), ...)
{
	__asm__ volatile("" : : "m"(d), "r"(call));
	return NULL;
}

DESCRIBED dw_point_t dw_by_value(dw_point_t at, char *const *argv, int (*table)[7])
{
	__asm__ volatile("" : : "r"(argv), "r"(table));
	return at;
}

/* Called here, where it is inlined, and by its address. */
static inline int dw_copied(int first, struct dw_secret *second)
{
	return second ? first : first + 1;
}

static int (*volatile dw_pointer)(int, struct dw_secret *) = dw_copied;

DESCRIBED int dw_caller(int number)
{
	return dw_copied(number, NULL) + dw_pointer(number, NULL);
}

DESCRIBED int dw_plain(int number) __asm__("dw_plain.isra.0");

int dw_plain(int number)
{
	__asm__ volatile("" : "+r"(number));
	return number;
}

/* ---- reading --------------------------------------------------------------------------------- */

#define SELF	  "/proc/self/exe"
#define PATH_ROOM 64

struct described {
	struct found_functions found;
	struct btf *btf;
	struct prototype prototype; /* of the first one */
};

static struct described describe(const char *path, const char *pattern, bool has_members)
{
	struct described described = { 0 };

	ck_assert_int_eq(user_functions__find(&described.found, path, pattern), 0);
	ck_assert_int_eq(user_prototypes__read(&described.btf, path, &described.found, has_members),
			 0);
	user_prototypes__find(described.btf, &described.found.at[0], &described.prototype);
	return described;
}

static void free_described(struct described *described)
{
	btf__free(described->btf);
	found_functions__free(&described->found);
}

static void check_text(const char *function, const char *wanted)
{
	struct described described = describe(SELF, function, false);
	struct strbuf text = { 0 };

	ck_assert_uint_eq(described.found.count, 1);
	prototype__append(&text, &described.prototype, function);
	strbuf__char(&text, '\0');
	ck_assert_str_eq(text.bytes, wanted);
	strbuf__free(&text);
	free_described(&described);
}

START_TEST(test_prototypes_as_text)
{
	need_libdw();
	check_text("dw_handle", "int dw_handle(const struct dw_request *r, const char *name, enum "
				"dw_mode m, unsigned int flags)");
	check_text("dw_nothing", "void dw_nothing(void)");
	check_text("dw_variadic", "struct dw_request *dw_variadic(double d, ssize_t (*call)(void "
				  "*, size_t), ...)");
	check_text("dw_by_value",
		   "dw_point_t dw_by_value(dw_point_t at, char *const *argv, int (*table)[7])");
}
END_TEST

START_TEST(test_copy_of_inlined_function)
{
	need_libdw();
	ck_assert_int_eq(dw_caller(1), 4);
	check_text("dw_copied", "int dw_copied(int first, struct dw_secret *second)");
}
END_TEST

START_TEST(test_changed_function_is_unknown)
{
	struct described described = describe(SELF, "dw_plain.isra.0", false);

	ck_assert_uint_eq(described.found.count, 1);
	ck_assert_uint_eq(described.found.at[0].prototype, 0);
	ck_assert_ptr_null(described.prototype.btf);
	free_described(&described);
}
END_TEST

START_TEST(test_glob_of_prototypes)
{
	struct described described = describe(SELF, "dw_*", true);
	size_t known = 0;

	need_libdw();
	for (size_t i = 0; i < described.found.count; i++) {
		struct prototype prototype;
		const struct found_function *function = &described.found.at[i];

		if (!user_prototypes__find(described.btf, function, &prototype))
			continue;
		ck_assert_str_eq(
			btf__name_by_offset(
				described.btf,
				btf__type_by_id(described.btf, function->prototype)->name_off),
			function->name);
		known++;
	}
	ck_assert_uint_eq(known, 6); /* all but dw_plain.isra.0 */
	free_described(&described);
}
END_TEST

/* ---- fields ---------------------------------------------------------------------------------- */

static struct described handled;
static struct field_types types;
static struct btf *events;

static void setup_fields(void)
{
	handled = describe(SELF, "dw_handle", true);
	events = btf__new_empty();
	ck_assert_int_eq(field_types__init(&types, events), 0);
}

static void teardown_fields(void)
{
	btf__free(events);
	free_described(&handled);
}

static struct plan_read read_of(const char *path)
{
	struct function_field field = { 0 };
	struct strbuf why = { 0 };
	int err =
		function_field__make(&field, &types, &handled.prototype, FUNCTION_CALL, path, &why);
	struct plan_read read = field.read;

	ck_assert_msg(!err, "%s: %d: %.*s", path, err, (int)why.count, why.bytes);
	ck_assert_uint_eq(read.flags & PLAN_USER, read.steps ? PLAN_USER : 0);
	function_field__free(&field);
	strbuf__free(&why);
	return read;
}

static void refuse(const char *path, int wanted)
{
	struct function_field field = { 0 };

	ck_assert_int_eq(
		function_field__make(&field, &types, &handled.prototype, FUNCTION_CALL, path, NULL),
		wanted);
}

#define AT(member) (int)offsetof(struct dw_request, member)

START_TEST(test_members_behind_pointers)
{
	struct plan_read read;

	need_libdw();
	read = read_of("r.id");
	ck_assert_uint_eq(read.steps, 1);
	ck_assert_int_eq(read.offset[0], AT(id));
	ck_assert_uint_eq(read.width, sizeof(long));
	read = read_of("r.next.next.id");
	ck_assert_uint_eq(read.steps, 3);
	ck_assert_int_eq(read.offset[1], AT(next));
	ck_assert_int_eq(read.offset[2], AT(id));
	read = read_of("r.inner.points.y");
	ck_assert_int_eq(read.offset[0], AT(inner.points));
	ck_assert_int_eq(read.offset[1], offsetof(dw_point_t, y));
	ck_assert_int_eq(read_of("r.code").offset[0], AT(code));
	ck_assert_int_eq(read_of("r.inner.mode").offset[0], AT(inner.mode));
}
END_TEST

START_TEST(test_texts_and_numbers)
{
	struct plan_read read;

	need_libdw();
	read = read_of("r.label");
	ck_assert_uint_eq(read.width, 0);
	ck_assert_uint_eq(read.bytes, 24);
	read = read_of("r.path");
	ck_assert_uint_eq(read.width, 0);
	ck_assert_uint_eq(read.steps, 2);
	ck_assert_uint_eq(read_of("name").steps, 1);
	ck_assert_uint_eq(read_of("m").width, 4);
	ck_assert_int_ge(btf__find_by_name_kind(events, "dw_mode", BTF_KIND_ENUM), 0);
	ck_assert_uint_eq(read_of("flags").steps, 0);
}
END_TEST

START_TEST(test_refused_members)
{
	need_libdw();
	refuse("r.flag", -EINVAL);
	refuse("r.ratio", -EINVAL);
	refuse("r.table", -EINVAL);
	refuse("r.inner", -EINVAL);
	refuse("r.nothing", -ENOENT);
	refuse("r.secret.x", -EINVAL);
	refuse("r.next.next.next.next.id", -E2BIG);
}
END_TEST

START_TEST(test_struct_by_value_keeps_its_place_unknown)
{
	struct described described = describe(SELF, "dw_by_value", false);
	struct function_field field = { 0 };

	need_libdw();
	ck_assert_int_eq(function_field__make(&field, &types, &described.prototype, FUNCTION_CALL,
					      "argv", NULL),
			 -EINVAL);
	free_described(&described);
}
END_TEST

/* ---- files ----------------------------------------------------------------------------------- */

/* The functions of this program, in a copy of it: they are at the same places. */
static void check_known_in(const char *path, bool is_known)
{
	struct described described = describe(SELF, "dw_handle", false);

	btf__free(described.btf);
	ck_assert_int_eq(user_prototypes__read(&described.btf, path, &described.found, true), 0);
	ck_assert_int_eq(
		user_prototypes__find(described.btf, &described.found.at[0], &described.prototype),
		is_known);
	ck_assert_uint_eq(prototype__named(&described.prototype, NULL), is_known ? 4 : 0);
	free_described(&described);
}

START_TEST(test_separate_debug_file)
{
	struct separated separated;

	need_libdw();
	separated__make(&separated);
	check_known_in(separated.program, true);
	ck_assert_int_eq(unlink(separated.debug), 0);
	check_known_in(separated.program, false);
	separated__remove(&separated);
}
END_TEST

/* Compiles a program with these options. */
static void compile(const char *options, char program[PATH_ROOM])
{
	static const char text[] = "struct s { int a; struct s *n; };"
				   "int used(struct s *p, int k) { return p->n->a + k; }"
				   "void bare(void) {}"
				   "int main(void) { return 0; }";
	char command[512];

	snprintf(program, PATH_ROOM, "/tmp/peat-prototypes-XXXXXX");
	ck_assert_int_ge(close(mkstemp(program)), 0);
	snprintf(command, sizeof(command),
		 "echo '%s' | gcc -x c -O1 %s -dumpdir %s. -dumpbase split -o %s -", text, options,
		 program, program);
	separated__run((const char *const[]){ "sh", "-c", command, NULL });
}

static void check_compiled(const char *options, const char *function, uint32_t parameters,
			   bool is_known)
{
	char program[PATH_ROOM];
	struct described described;

	compile(options, program);
	described = describe(program, function, true);
	unlink(program);
	ck_assert_msg((described.prototype.btf != NULL) == is_known, "%s: %s", options, function);
	ck_assert_uint_eq(prototype__named(&described.prototype, NULL), parameters);
	if (parameters) {
		struct prototype of_handle = handled.prototype;

		handled.prototype = described.prototype;
		ck_assert_int_eq(read_of("p.n.a").offset[0], (int)sizeof(void *));
		handled.prototype = of_handle;
	}
	free_described(&described);
}

START_TEST(test_versions_of_dwarf)
{
	static const char *const options[] = { "-gdwarf-2",
					       "-gdwarf-3",
					       "-gdwarf-4",
					       "-gdwarf-5",
					       "-g -gz",
					       "-gdwarf-4 -fdebug-types-section",
					       "-gdwarf-5 -fdebug-types-section" };

	need_libdw();
	if (!command__exists("gcc"))
		skip("no gcc");
	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++) {
		check_compiled(options[i], "used", 2, true);
		check_compiled(options[i], "bare", 0, true);
	}
}
END_TEST

/* The entries are in a file .dwo.  Another user could name any file. */
START_TEST(test_split_dwarf)
{
	char program[PATH_ROOM], split[PATH_ROOM + 16];
	struct described own, foreign;

	need_libdw();
	if (!command__exists("gcc"))
		skip("no gcc");
	compile("-g -gsplit-dwarf", program);
	own = describe(program, "used", true);
	ck_assert_ptr_nonnull(own.prototype.btf);
	if (!geteuid()) {
		ck_assert_int_eq(chown(program, 65534, 65534), 0);
		foreign = describe(program, "used", true);
		ck_assert_ptr_null(foreign.prototype.btf);
		free_described(&foreign);
	}
	free_described(&own);
	snprintf(split, sizeof(split), "%s.split.dwo", program);
	ck_assert_int_eq(unlink(split), 0);
	unlink(program);
}
END_TEST

/* Functions have no parameters there, which does not mean void. */
START_TEST(test_lines_alone)
{
	if (!command__exists("gcc"))
		skip("no gcc");
	check_compiled("-g1", "used", 0, false);
	check_compiled("-g1", "bare", 0, false);
}
END_TEST

START_TEST(test_function_without_address)
{
	struct described described = describe(SELF, "dw_handle", false);

	described.found.at[0].place++;
	btf__free(described.btf);
	ck_assert_int_eq(user_prototypes__read(&described.btf, SELF, &described.found, false), 0);
	ck_assert_uint_eq(described.found.at[0].prototype, 0);
	free_described(&described);
}
END_TEST

SUITE(60)
{
	tcase_add_checked_fixture(tests, setup_fields, teardown_fields);
	tcase_add_test(tests, test_prototypes_as_text);
	tcase_add_test(tests, test_copy_of_inlined_function);
	tcase_add_test(tests, test_changed_function_is_unknown);
	tcase_add_test(tests, test_glob_of_prototypes);
	tcase_add_test(tests, test_members_behind_pointers);
	tcase_add_test(tests, test_texts_and_numbers);
	tcase_add_test(tests, test_refused_members);
	tcase_add_test(tests, test_struct_by_value_keeps_its_place_unknown);
	tcase_add_test(tests, test_separate_debug_file);
	tcase_add_test(tests, test_versions_of_dwarf);
	tcase_add_test(tests, test_split_dwarf);
	tcase_add_test(tests, test_lines_alone);
	tcase_add_test(tests, test_function_without_address);
}
