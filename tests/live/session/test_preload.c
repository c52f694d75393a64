// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_preload.c: programs with PEAT_PRELOAD have memory read in that the process has not used, for
 * the other programs of a function.  Kernels without sleepable uprobes leave them out.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <peat/peat.h>

#include "support/machine/harness.h"
#include "support/machine/multi_links.h"
#include "support/machine/object.h"
#include "support/machine/refuse.h"
#include "support/machine/waiting_uprobes.h"
#include "support/machine/unused_texts.h"

EMBED_OBJECT(preload)
EMBED_OBJECT(preload_refused)

#define CALLS 100

enum way { BY_LINKS, BY_EVENTS, WAYS };
enum which { UNTOUCHED, TOUCHED, CHOSEN, AT_RETURN, FUNCTIONS };

/* ---- functions ------------------------------------------------------------------------------- */

/* They do not read the text.  The first instruction is no branch, as an emulated s390x needs. */
#if defined(__s390x__)
#define NOTHING "nopr"
#else
#define NOTHING "nop"
#endif

#define FUNCTION(name)                                                                             \
	__attribute__((noipa, noinline, used)) const char *name(long number, const char *text)     \
	{                                                                                          \
		__asm__ volatile(NOTHING "\n" NOTHING : "+r"(number), "+r"(text));                 \
		return text;                                                                       \
	}

FUNCTION(preload_untouched)
FUNCTION(preload_touched)
FUNCTION(preload_chosen)
FUNCTION(preload_returned)

static const char *(*const functions[FUNCTIONS])(long, const char *) = {
	[UNTOUCHED] = preload_untouched,
	[TOUCHED] = preload_touched,
	[CHOSEN] = preload_chosen,
	[AT_RETURN] = preload_returned,
};

/* Each call has a text of its own. */
static void call_all(void)
{
	for (int which = 0; which < FUNCTIONS; which++)
		for (int i = which * CALLS; i < (which + 1) * CALLS; i++)
			functions[which](i, unused_texts__at(i));
}

/* ---- sessions -------------------------------------------------------------------------------- */

static char messages[2048]; /* about programs that are left out; warnings and errors */
static struct peat_session *session;

static void keep_message(enum peat_log_level level, const char *text)
{
	size_t used = strlen(messages);

	if (level <= PEAT_LOG_WARN || strstr(text, "left out"))
		snprintf(messages + used, sizeof(messages) - used, "%d %s\n", (int)level, text);
}

static void setup(void)
{
	peat_set_print(keep_message);
}

static void start(const struct object_file *file, bool best_effort)
{
	struct peat_session_opts opts = { .sz = sizeof(opts), .best_effort = best_effort };

	session = peat_session__new(&opts);
	ck_assert_ptr_nonnull(session);
	ck_assert_int_eq(peat_session__add(session, file->name, file->bytes, *file->count), 0);
	ck_assert_msg(!peat_session__start(session, NULL), "%s", messages);
}

/* The next event of this process; NULL: there is none. */
static const void *next(void)
{
	const struct peat_event *event;

	while (peat_reader__next(peat_session__reader(session), &event) > 0)
		if (event->kind == PEAT_EVENT_DATA && event->pid == (uint32_t)getpid())
			return event->data;
	return NULL;
}

struct passed {
	uint64_t number;
	int64_t bytes;
	uint32_t which;
	char text[UNUSED_TEXT_BYTES];
};

/* Events, and those with their text, by function. */
struct counts {
	unsigned events[FUNCTIONS], texts[FUNCTIONS];
};

static bool has_text(const struct passed *passed)
{
	char text[UNUSED_TEXT_BYTES];

	unused_texts__write(text, (int)passed->number);
	return passed->bytes > 0 && !strcmp(passed->text, text);
}

static void count(struct counts *counts)
{
	const struct passed *passed;

	*counts = (struct counts){ 0 };
	peat_session__stop(session);
	while ((passed = next())) {
		ck_assert_uint_lt(passed->which, FUNCTIONS);
		counts->events[passed->which]++;
		counts->texts[passed->which] += has_text(passed);
	}
}

/* ---- tests ----------------------------------------------------------------------------------- */

START_TEST(test_texts_are_present)
{
	bool is_used =
		_i == BY_LINKS ? multi_links__are_possible() : waiting_uprobes__are_possible();
	unsigned present = is_used ? CALLS : 0;
	struct counts counts;

	if (_i == BY_EVENTS)
		ck_assert(refuse__bpf(BPF_LINK_CREATE));
	ck_assert(unused_texts__make(FUNCTIONS * CALLS));
	start(&preload_object, false);
	call_all();
	count(&counts);
	for (int which = 0; which < FUNCTIONS; which++) {
		ck_assert_uint_eq(counts.events[which], CALLS);
		ck_assert_msg(counts.texts[which] == (which == UNTOUCHED ? 0 : present),
			      "%u texts of function %d: %s", counts.texts[which], which, messages);
	}
	ck_assert_msg(!*messages == !!present, "%s", messages);
	peat_session__free(session);
}
END_TEST

/* With a debug message, also if other programs would be left out with a warning. */
START_TEST(test_refused_program_is_left_out)
{
	char wanted[64];
	unsigned events = 0;

	snprintf(wanted, sizeof(wanted), "%d left out: program wrong_preload of preload_refused",
		 (int)PEAT_LOG_DEBUG);
	start(&preload_refused_object, _i);
	for (int i = 0; i < CALLS; i++)
		preload_touched(i, NULL);
	ck_assert_msg(strstr(messages, wanted) == messages, "%s", messages);
	peat_session__stop(session);
	while (next())
		events++;
	ck_assert_uint_eq(events, CALLS);
	peat_session__free(session);
}
END_TEST

static Suite *preload_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("preload", 60, &tests);

	tcase_add_unchecked_fixture(tests, setup, NULL);
	tcase_add_loop_test(tests, test_texts_are_present, BY_LINKS, WAYS);
	tcase_add_loop_test(tests, test_refused_program_is_left_out, false, true + 1);
	return suite;
}

int main(int argc, char **argv)
{
	return harness__main(argc, argv, (const suite_fn[]){ preload_suite }, 1);
}
