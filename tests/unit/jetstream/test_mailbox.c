// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_mailbox.c: news for a connection, and for a former one; only with libnats. */
#ifdef HAVE_NATS

#include <poll.h>
#include <pthread.h>

#include "jetstream/mailbox.h"
#include "unit/suite.h"

static void post(uint64_t number, jsErrCode code)
{
	const struct news news = { .kind = NEWS_ANSWER, .code = code };

	mailbox__post(number, &news);
}

static bool is_readable(const struct mailbox *mailbox)
{
	struct pollfd fd = { .fd = mailbox->fd, .events = POLLIN };

	return poll(&fd, 1, 0) > 0;
}

static void expect(struct mailbox *mailbox, jsErrCode code)
{
	bool has_lost = true;
	struct news *news = mailbox__take(mailbox, &has_lost);

	ck_assert_ptr_nonnull(news);
	ck_assert(!has_lost);
	ck_assert_uint_eq(news->code, code);
	news__free(news);
}

static void expect_none(struct mailbox *mailbox)
{
	bool has_lost = true;

	ck_assert_ptr_null(mailbox__take(mailbox, &has_lost));
	ck_assert(!has_lost);
	ck_assert(!is_readable(mailbox));
}

START_TEST(test_news_in_order)
{
	struct mailbox mailbox;
	uint64_t number;

	ck_assert_int_eq(mailbox__open(&mailbox), 0);
	number = mailbox__renew(&mailbox);
	expect_none(&mailbox);
	post(number, 1);
	post(number, 2);
	ck_assert(is_readable(&mailbox));
	expect(&mailbox, 1);
	ck_assert(is_readable(&mailbox));
	post(number, 3);
	expect(&mailbox, 2);
	expect(&mailbox, 3);
	expect_none(&mailbox);
	mailbox__close(&mailbox);
}
END_TEST

/* They and their messages are freed: the sanitizer sees it. */
START_TEST(test_news_for_nobody)
{
	struct mailbox first, second;
	struct news news = { .kind = NEWS_ANSWER };
	uint64_t number, former;

	ck_assert_int_eq(mailbox__open(&first), 0);
	ck_assert_int_eq(mailbox__open(&second), 0);
	former = mailbox__renew(&first);
	number = mailbox__renew(&second);
	post(former, 1);
	ck_assert_uint_ne(mailbox__renew(&first), former);
	expect_none(&first);
	ck_assert_int_eq(natsMsg_Create(&news.message, "a", NULL, "b", 1), NATS_OK);
	mailbox__post(former, &news);
	expect_none(&first);
	post(number, 2);
	mailbox__close(&first);
	expect(&second, 2);
	post(number, 3);
	mailbox__close(&second);
	post(number, 4);
}
END_TEST

static void *post_many(void *arg)
{
	for (unsigned i = 0; i < 1000; i++)
		post((uintptr_t)arg, 7);
	return NULL;
}

START_TEST(test_other_threads)
{
	struct mailbox mailbox;
	pthread_t threads[4];
	bool has_lost;
	unsigned count = 0;
	uint64_t number;

	ck_assert_int_eq(mailbox__open(&mailbox), 0);
	number = mailbox__renew(&mailbox);
	for (unsigned i = 0; i < 4; i++)
		ck_assert_int_eq(
			pthread_create(&threads[i], NULL, post_many, (void *)(uintptr_t)number), 0);
	while (count < 4000) {
		struct news *news = mailbox__take(&mailbox, &has_lost);

		count += news != NULL;
		news__free(news);
	}
	for (unsigned i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	expect_none(&mailbox);
	mailbox__close(&mailbox);
}
END_TEST

static void open_library(void)
{
	ck_assert_int_eq(nats_Open(-1), NATS_OK);
}

static void close_library(void)
{
	nats_CloseAndWait(0);
}

SUITE(10)
{
	tcase_add_checked_fixture(tests, open_library, close_library);
	tcase_add_test(tests, test_news_in_order);
	tcase_add_test(tests, test_news_for_nobody);
	tcase_add_test(tests, test_other_threads);
}

#endif /* HAVE_NATS */
