// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_frames.c: stacks and addresses with their names, in text and in JSON. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <peat/symbols.h>
#include <peat/wire.h>

#include "support/recording/json_check.h"
#include "print/frames.h"
#include "replay/recorded.h"
#include "sink_output.h"
#include "sys/kallsyms.h"
#include "unit/suite.h"

#define FRAME "\n        "

static struct peat_recorded recorded;
static struct peat_symbols *symbols;
static struct strbuf out;

static void setup(void)
{
	recorded = (struct peat_recorded){ .names = &replay_names, .arch = "x86_64" };
	symbols = peat_symbols__new(NULL);
	ck_assert_ptr_nonnull(symbols);
}

static void teardown(void)
{
	peat_symbols__free(symbols);
	strbuf__free(&out);
}

static const char *text(void)
{
	strbuf__char(&out, 0);
	ck_assert(!out.failed);
	out.count = 0;
	return out.bytes;
}

static struct peat_record a_stack(const uint64_t *chain, uint64_t count)
{
	struct peat_record record = { .type = PEAT_RECORD_SAMPLE, .has = PEAT_SAMPLE_CALLCHAIN };

	record.sample.callchain = (struct peat_words){ .data = chain, .count = count };
	return record;
}

static const char *stack_text(const struct peat_event *event, const struct address_names *names)
{
	frames__append_stack(&out, event, names);
	return text();
}

/* The members after one other. */
static const char *stack_json(const struct peat_event *event, const struct address_names *names)
{
	const char *json;

	strbuf__text(&out, "{\"a\":1");
	frames__append_json_stack(&out, event, names);
	strbuf__text(&out, "}\n");
	json = text();
	ck_assert_msg(json_lines(json), "no JSON: %s", json);
	return json + strlen("{\"a\":1");
}

/* ---- frames ---------------------------------------------------------------------------------- */

#define ID(bytes) .build_id = (const uint8_t *)(bytes), .build_id_bytes = sizeof(bytes) - 1

static const struct {
	struct peat_stack_frame frame;
	const char *text, *json;
} frames[] = {
	{ { .address = 0x10 }, "0x10", "{\"address\":\"0x10\"}" },
	{ { .address = 0x10, .symbol = "main", .raw_symbol = "main" },
	  "main",
	  "{\"symbol\":\"main\",\"offset\":0,\"address\":\"0x10\"}" },
	{ { .address = 0x10,
	    .symbol = "a::f(int)",
	    .raw_symbol = "_ZN1a1fEi",
	    .offset = 31,
	    .module = "/lib/x.so",
	    .module_offset = 7,
	    ID("\xab\x01"),
	    .file = "/src/f.cc",
	    .line = 17 },
	  "a::f(int)+0x1f (x.so) f.cc:17",
	  "{\"symbol\":\"a::f(int)\",\"raw_symbol\":\"_ZN1a1fEi\",\"offset\":31,"
	  "\"module\":\"/lib/x.so\",\"build_id\":\"ab01\",\"address\":\"0x10\","
	  "\"file\":\"/src/f.cc\",\"line\":17}" },
	{ { .address = 0x10,
	    .inlined = true,
	    .symbol = "g",
	    .raw_symbol = "g",
	    .offset = 2,
	    .module = "/lib/x.so",
	    .file = "g.h",
	    .line = 3 },
	  "g (inlined) g.h:3",
	  "{\"symbol\":\"g\",\"module\":\"/lib/x.so\",\"address\":\"0x10\",\"file\":\"g.h\","
	  "\"line\":3,\"inlined\":true}" },
	{ { .address = 0x10, .symbol = "g", .offset = 2, .is_guess = true },
	  "g+0x2 (guess)",
	  "{\"symbol\":\"g\",\"offset\":2,\"address\":\"0x10\",\"guess\":true}" },
	{ { .address = 0x7f0010, .module = "/lib/stripped", .module_offset = 0x94990 },
	  "0x7f0010 (stripped+0x94990)",
	  "{\"module\":\"/lib/stripped\",\"module_offset\":608656,\"address\":\"0x7f0010\"}" },
	{ { .address = 0x10, .module = "[anon]", .file = "a.js" },
	  "0x10 ([anon]) a.js",
	  "{\"module\":\"[anon]\",\"address\":\"0x10\",\"file\":\"a.js\"}" },
	/* Names are foreign text. */
	{ { .address = 0x10, .symbol = "\x1b[2J\n\"", .module = "/a/b\tc" },
	  "\\x1b[2J\\n\" (b\\tc)",
	  "{\"symbol\":\"\\u001b[2J\\n\\\"\",\"offset\":0,\"module\":\"/a/b\\tc\","
	  "\"address\":\"0x10\"}" },
	{ { .address = 0x10, .module = "/" },
	  "0x10 (/)",
	  "{\"module\":\"/\",\"address\":\"0x10\"}" },
};

START_TEST(test_prints_each_frame)
{
	frames__append(&out, &frames[_i].frame);
	ck_assert_str_eq(text(), frames[_i].text);
	frames__append_json(&out, &frames[_i].frame);
	ck_assert_str_eq(text(), frames[_i].json);
}
END_TEST

/* ---- names of the kernel --------------------------------------------------------------------- */

#define KERNEL UINT64_C(0xffffffff81000010)

/* The address of a kernel function, or any address if the kernel hides them. */
static uint64_t a_function(void)
{
	FILE *file = fopen("/proc/kallsyms", "re");
	unsigned long long address = 0;
	char line[1024], type;

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "%llx %c", &address, &type) == 2 && address >> 63 && type == 'T')
			break;
	if (file)
		fclose(file);
	return address >> 63 ? address : KERNEL;
}

static void append_wanted(struct strbuf *to, const char *hex, const char *name, uint64_t offset)
{
	strbuf__char(to, '{');
	if (name) {
		strbuf__text(to, "\"symbol\":\"");
		strbuf__text(to, name);
		strbuf__text(to, "\",\"offset\":");
		strbuf__unsigned(to, offset);
		strbuf__char(to, ',');
	}
	strbuf__text(to, "\"address\":\"");
	strbuf__text(to, hex);
	strbuf__text(to, "\"}");
}

/* Two frames at `address`, of which the kernel's has a name if `is_named`. */
static void check_kernel(const struct peat_event *event, uint64_t address, bool is_named)
{
	struct address_names names = frames__names(event, false, NULL);
	struct strbuf wanted = { 0 };
	uint64_t offset = 0;
	const char *name = is_named ? kallsyms__name(address, SYMBOLS_ALL, &offset) : NULL;
	char hex[32];

	snprintf(hex, sizeof(hex), "0x%llx", (unsigned long long)address);
	strbuf__text(&wanted, ",\"stack\":[");
	append_wanted(&wanted, hex, NULL, 0);
	strbuf__char(&wanted, ',');
	append_wanted(&wanted, hex, name, offset);
	strbuf__text(&wanted, "]}\n");
	strbuf__char(&wanted, 0);
	ck_assert_str_eq(stack_json(event, &names), wanted.bytes);
	wanted.count = 0;
	strbuf__text(&wanted, FRAME);
	strbuf__text(&wanted, hex);
	strbuf__text(&wanted, FRAME);
	if (name)
		kallsyms__append_name(&wanted, name, offset);
	else
		strbuf__text(&wanted, hex);
	strbuf__char(&wanted, 0);
	ck_assert_str_eq(stack_text(event, &names), wanted.bytes);
	strbuf__free(&wanted);
}

/* Symbols need an address of the running kernel, not of a guest. */
START_TEST(test_kernel_symbols_of_same_kernel)
{
	uint64_t function = a_function();
	const uint64_t chain[] = { PEAT_CONTEXT_GUEST_KERNEL, function, PEAT_CONTEXT_KERNEL,
				   function };
	struct peat_record record = a_stack(chain, 4);
	struct peat_event event = { .kind = PEAT_EVENT_DATA, .record = &record };

	check_kernel(&event, function, true);
	event.recorded = &recorded;
	recorded.same_kernel = true;
	check_kernel(&event, function, true);
	recorded.same_kernel = false;
	check_kernel(&event, function, false);
}
END_TEST

/* BPF programs of now may differ from those of the recording. */
START_TEST(test_which_symbols)
{
	struct peat_event event = { .kind = PEAT_EVENT_DATA };

	ck_assert_int_eq(frames__kernel_symbols(&event, false), SYMBOLS_ALL);
	ck_assert_int_eq(frames__kernel_symbols(&event, true), SYMBOLS_NONE);
	event.recorded = &recorded;
	ck_assert_int_eq(frames__kernel_symbols(&event, false), SYMBOLS_NONE);
	recorded.same_kernel = true;
	ck_assert_int_eq(frames__kernel_symbols(&event, false), SYMBOLS_LASTING);
	ck_assert_int_eq(frames__kernel_symbols(&event, true), SYMBOLS_NONE);
	ck_assert_ptr_null(frames__names(&event, true, symbols).symbols);
}
END_TEST

START_TEST(test_space_of_an_address)
{
	struct peat_record record = { .misc = PEAT_MISC_KERNEL };

	ck_assert_int_eq(frames__space(&record, 0x1000), PEAT_SPACE_KERNEL);
	record.misc = PEAT_MISC_GUEST_KERNEL;
	ck_assert_int_eq(frames__space(&record, KERNEL), PEAT_SPACE_OTHER);
	record.misc = PEAT_MISC_USER;
	ck_assert_int_eq(frames__space(&record, 0x1000), PEAT_SPACE_USER);
	record.misc = 0;
	ck_assert_int_eq(frames__space(&record, KERNEL), PEAT_SPACE_KERNEL);
}
END_TEST

/* As many entries as fit into a record. */
START_TEST(test_longest_stack_is_whole)
{
	uint64_t count = 65535 / 8, commas = 0, *chain = calloc(count, sizeof(*chain));
	struct peat_record record = a_stack(chain, count);
	struct peat_event event = { .kind = PEAT_EVENT_DATA,
				    .record = &record,
				    .recorded = &recorded };
	struct address_names names = { .kernel = SYMBOLS_NONE };
	const char *json;

	ck_assert_ptr_nonnull(chain);
	json = stack_json(&event, &names);
	for (size_t i = 0; json[i]; i++)
		commas += json[i] == ',';
	ck_assert_uint_eq(commas, count);
	ck_assert_uint_eq(strlen(json), strlen(",\"stack\":[]}\n") +
						strlen("{\"address\":\"0x0\"},") * count - 1);
	free(chain);
}
END_TEST

/* ---- names of user space --------------------------------------------------------------------- */

__attribute__((noinline)) void test_frames_function(void);
__attribute__((noinline)) void test_frames_function(void)
{
	__asm__ volatile("nop; nop; nop; nop; nop; nop; nop; nop");
}

/* An event of this process. */
static struct peat_event an_event_here(const struct peat_record *record)
{
	return (struct peat_event){ .kind = PEAT_EVENT_DATA,
				    .record = record,
				    .pid = (uint32_t)getpid(),
				    .tid = (uint32_t)getpid() };
}

/* The name of this program. */
static const char *program(void)
{
	static char path[4096];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);

	ck_assert_int_gt(length, 0);
	path[length] = 0;
	return path;
}

START_TEST(test_prints_user_symbols)
{
	const uint64_t at = (uintptr_t)test_frames_function;
	const uint64_t chain[] = { PEAT_CONTEXT_USER, at, at + 4, 0x1000 };
	struct peat_record record = a_stack(chain, 4);
	struct peat_event event = an_event_here(&record);
	struct address_names names = frames__names(&event, false, symbols);
	const char *base = strrchr(program(), '/') + 1, *json;
	char wanted[8192];

	snprintf(wanted, sizeof(wanted),
		 FRAME "test_frames_function (%s)" FRAME "test_frames_function+0x4 (%s)" FRAME
		       "0x1000",
		 base, base);
	ck_assert_str_eq(stack_text(&event, &names), wanted);
	json = stack_json(&event, &names);
	snprintf(wanted, sizeof(wanted),
		 ",\"stack\":[{\"symbol\":\"test_frames_function\",\"offset\":0,\"module\":\"%s\",",
		 program());
	ck_assert_msg(!strncmp(json, wanted, strlen(wanted)), "%s", json);
	ck_assert_ptr_nonnull(strstr(json, "\"build_id\":\""));
	ck_assert_ptr_nonnull(strstr(json, "\"offset\":4,"));
	ck_assert_ptr_nonnull(strstr(json, ",{\"address\":\"0x1000\"}]"));
}
END_TEST

/* A field of the event has priority. */
START_TEST(test_name_clash)
{
	struct peat_field own[] = {
		{ .name = "stack", .kind = PEAT_FIELD_UNSIGNED, .span = 1, .bytes = 8 },
	};
	struct peat_schema schema = SCHEMA("own", own);
	const uint64_t chain[] = { PEAT_CONTEXT_USER, 0x1000 };
	struct peat_record record = a_stack(chain, 2);
	struct peat_event event = an_event_here(&record);
	struct address_names names = { .kernel = SYMBOLS_NONE };

	event.schema = &schema;
	ck_assert_str_eq(stack_json(&event, &names),
			 ",\"sample_stack\":[{\"address\":\"0x1000\"}]}\n");
}
END_TEST

START_TEST(test_prints_addresses_of_fields)
{
	const uint64_t at = (uintptr_t)test_frames_function + 2;
	struct peat_record record = { .type = PEAT_RECORD_SAMPLE };
	struct peat_event event = an_event_here(&record);
	struct address_names names = frames__names(&event, false, symbols);

	frames__append_address(&out, &event, &names, PEAT_SPACE_USER, at);
	ck_assert_str_eq(text(), "test_frames_function+0x2");
	frames__append_address(&out, &event, &names, PEAT_SPACE_OTHER, at);
	strbuf__char(&out, ' ');
	frames__append_address(&out, &event, &names, PEAT_SPACE_USER, 0x1000);
	ck_assert_ptr_nonnull(strstr(text(), " 0x1000"));
	frames__append_json_address(&out, &event, &names, PEAT_SPACE_USER, at);
	ck_assert_ptr_nonnull(strstr(text(), "{\"symbol\":\"test_frames_function\",\"offset\":2,"));
	names.symbols = NULL;
	frames__append_json_address(&out, &event, &names, PEAT_SPACE_USER, 0x1000);
	ck_assert_str_eq(text(), "{\"address\":\"0x1000\"}");
}
END_TEST

/* ---- in the sinks ---------------------------------------------------------------------------- */

/* An event of a number and its stack. */
__extension__ static const struct {
	uint64_t number;
	struct peat_stacks head;
	uint64_t words[3];
} stacked = { 7, { .user_bytes = 24 }, { 0x1000, 0x2000, 0x3000 } };

static struct peat_field stacked_fields[] = {
	{ .name = "number", .kind = PEAT_FIELD_UNSIGNED, .span = 1, .bytes = 8 },
	{ .name = "stack", .kind = PEAT_FIELD_STACK, .span = 1, .offset = 8 },
};
static const struct peat_schema stacked_schema = {
	.name = "stacked", .bytes = 16, .count = 2, .fields = stacked_fields, .stacks_fd = -1
};

static void check_sink(struct peat_sink *sink, int fd, const char *with, const char *without)
{
	struct peat_event event = an_event(&stacked_schema, &stacked, sizeof(stacked));

	ck_assert_ptr_nonnull(sink);
	ck_assert_int_eq(peat_sink__write(sink, &event), 0);
	ck_assert_str_eq(output(sink, fd), with);
	event.size = 8; /* the program took no stack */
	ck_assert_int_eq(peat_sink__write(sink, &event), 0);
	ck_assert_str_eq(output(sink, fd), without);
	peat_sink__free(sink);
	close(fd);
}

/* The stack is no field, and neither it nor its bytes are printed as such. */
START_TEST(test_sinks_print_stacks)
{
	struct peat_sink_opts opts = { .sz = sizeof(opts), .no_heading = true };
	int fd = new_output();

	check_sink(peat_sink__new_text(fd, &opts), fd,
		   "stacked       41 bash            [003] number=7\n"
		   "        0x1000\n        0x2000\n        0x3000\n",
		   "stacked       41 bash            [003] number=7\n");
	opts.columns = &stacked_schema;
	fd = new_output();
	check_sink(peat_sink__new_text(fd, &opts), fd,
		   "     41  bash             [003]       7\n"
		   "        0x1000\n        0x2000\n        0x3000\n",
		   "     41  bash             [003]       7\n");
	fd = new_output();
	check_sink(peat_sink__new_json(fd, NULL), fd,
		   "{\"type\":\"stacked\",\"time_ns\":1000000007,\"cpu\":3,\"pid\":41,\"tid\":41,"
		   "\"comm\":\"bash\",\"number\":7,\"stack\":[{\"address\":\"0x1000\"},"
		   "{\"address\":\"0x2000\"},{\"address\":\"0x3000\"}]}\n",
		   "{\"type\":\"stacked\",\"time_ns\":1000000007,\"cpu\":3,\"pid\":41,\"tid\":41,"
		   "\"comm\":\"bash\",\"number\":7}\n");
}
END_TEST

SUITE(30)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_loop_test(tests, test_prints_each_frame, 0, sizeof(frames) / sizeof(*frames));
	tcase_add_test(tests, test_kernel_symbols_of_same_kernel);
	tcase_add_test(tests, test_which_symbols);
	tcase_add_test(tests, test_space_of_an_address);
	tcase_add_test(tests, test_longest_stack_is_whole);
	tcase_add_test(tests, test_prints_user_symbols);
	tcase_add_test(tests, test_name_clash);
	tcase_add_test(tests, test_prints_addresses_of_fields);
	tcase_add_test(tests, test_sinks_print_stacks);
}
