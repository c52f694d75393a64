// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* jetstream/mailbox.c: passes news of libnats' threads on. */
#ifdef HAVE_NATS

#include <pthread.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/errors.h"
#include "jetstream/mailbox.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards all mailboxes */
static struct mailbox *mailboxes;
static uint64_t last_number;

static void free_contents(const struct news *news)
{
	natsMsg_Destroy(news->message);
	natsConnection_Destroy(news->connection);
}

void news__free(struct news *news)
{
	if (!news)
		return;
	free_contents(news);
	free(news);
}

static void free_list(struct news *news)
{
	while (news) {
		struct news *next = news->next;

		news__free(news);
		news = next;
	}
}

int mailbox__open(struct mailbox *mailbox)
{
	*mailbox = (struct mailbox){ .fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK) };
	mailbox->end = &mailbox->first;
	if (mailbox->fd < 0)
		return -errno;
	pthread_mutex_lock(&lock);
	mailbox->next = mailboxes;
	mailboxes = mailbox;
	pthread_mutex_unlock(&lock);
	return 0;
}

/* Connections are destroyed without the lock, since that waits for threads which may post. */
uint64_t mailbox__renew(struct mailbox *mailbox)
{
	struct news *former;

	pthread_mutex_lock(&lock);
	former = mailbox->first;
	mailbox->first = NULL;
	mailbox->end = &mailbox->first;
	mailbox->has_lost = false;
	mailbox->number = ++last_number;
	pthread_mutex_unlock(&lock);
	free_list(former);
	return mailbox->number;
}

void mailbox__close(struct mailbox *mailbox)
{
	struct mailbox **at = &mailboxes;

	pthread_mutex_lock(&lock);
	while (*at != mailbox)
		at = &(*at)->next;
	*at = mailbox->next;
	pthread_mutex_unlock(&lock);
	free_list(mailbox->first);
	close(mailbox->fd);
}

static struct mailbox *find(uint64_t number)
{
	struct mailbox *mailbox = mailboxes;

	while (mailbox && mailbox->number != number)
		mailbox = mailbox->next;
	return mailbox;
}

static void append(struct mailbox *mailbox, struct news *news)
{
	if (news) {
		*mailbox->end = news;
		mailbox->end = &news->next;
	}
	mailbox->has_lost = mailbox->has_lost || !news;
	eventfd_write(mailbox->fd, 1);
}

void mailbox__post(uint64_t number, const struct news *news)
{
	struct news *copy = malloc(sizeof(*copy));
	struct mailbox *mailbox;

	if (copy) {
		*copy = *news;
		copy->next = NULL;
	}
	pthread_mutex_lock(&lock);
	mailbox = find(number);
	if (mailbox)
		append(mailbox, copy);
	pthread_mutex_unlock(&lock);
	if (!mailbox || !copy)
		free_contents(news);
	if (!mailbox)
		free(copy);
}

struct news *mailbox__take(struct mailbox *mailbox, bool *has_lost)
{
	struct news *news;
	eventfd_t count;

	pthread_mutex_lock(&lock);
	news = mailbox->first;
	if (news)
		mailbox->first = news->next;
	if (!mailbox->first) {
		mailbox->end = &mailbox->first;
		eventfd_read(mailbox->fd, &count);
	}
	*has_lost = mailbox->has_lost;
	mailbox->has_lost = false;
	pthread_mutex_unlock(&lock);
	return news;
}

#endif /* HAVE_NATS */
