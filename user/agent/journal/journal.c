// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* journal/journal.c: sends alerts, one batch after the other. */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>
#include <unistd.h>

#include "base/errors.h"
#include "base/log.h"
#include "base/monotonic.h"
#include "journal/alert.h"
#include "journal/entry.h"
#include "journal/journal.h"
#include "journal/log_socket.h"
#include "journal/rate.h"
#include "output/settings.h"

#define JOURNALD_SOCKET "/run/systemd/journal/socket"
#define SYSLOG_SOCKET	"/dev/log"
#define DEFAULT_RATE	10
#define RETRY_NS	1000000000u

struct journal {
	struct peat_output output;
	char *name, *path;
	bool is_syslog;
	int priority, wake_fd;
	int fd;		    /* -1: not connected */
	uint64_t retry_ns;  /* when to connect again */
	bool is_blocked;    /* the receiver is behind */
	bool has_failed;    /* the log has the reason */
	struct strbuf text; /* scratch memory: a message, */
	struct strbuf data; /* and the datagram with it */
	struct rate rate;
	/* The batch under way; NULL: none. */
	struct peat_batch *batch;
	struct peat_batch_cursor at;
	uint64_t refused; /* of its events */
	const char *why;  /* of the last one */
};

/* ---- sending --------------------------------------------------------------------------------- */

static void disconnect(struct journal *journal, int err)
{
	if (!journal->has_failed)
		log__warn("output %s: cannot send to %s: %s: trying again each second",
			  journal->name, journal->path, strerror(-err));
	journal->has_failed = true;
	journal->retry_ns = monotonic_ns() + RETRY_NS;
	if (journal->fd >= 0)
		close(journal->fd);
	journal->fd = -1;
}

/* 0; -EAGAIN: later. */
static int connect_again(struct journal *journal)
{
	if (journal->fd >= 0)
		return 0;
	if (monotonic_ns() < journal->retry_ns)
		return -EAGAIN;
	journal->fd = log_socket__connect(journal->path);
	if (journal->fd >= 0)
		return 0;
	disconnect(journal, journal->fd);
	return -EAGAIN;
}

/* Sends journal->data.  0; -EAGAIN: later; -E2BIG: it is too large. */
static int send_data(struct journal *journal)
{
	int err = connect_again(journal);

	if (err)
		return err;
	err = journal->data.failed || journal->text.failed
		      ? -ENOMEM
		      : log_socket__send(journal->fd, journal->data.bytes, journal->data.count);
	journal->is_blocked = err == -EAGAIN;
	if (err == -EAGAIN || err == -E2BIG)
		return err;
	if (err) {
		disconnect(journal, err);
		return -EAGAIN;
	}
	if (journal->has_failed)
		log__info("output %s: sends to %s again", journal->name, journal->path);
	journal->has_failed = false;
	return 0;
}

static void clear(struct strbuf *text)
{
	strbuf__cut(text, 0);
	if (text->failed)
		strbuf__free(text);
}

/* Begins a datagram with the message in journal->text. */
static void begin_data(struct journal *journal)
{
	const struct strbuf *text = &journal->text;
	time_t now = time(NULL);
	struct tm local;

	clear(&journal->data);
	if (text->failed)
		return;
	if (journal->is_syslog)
		entry__syslog(&journal->data, journal->priority, localtime_r(&now, &local),
			      getpid(), text->bytes, text->count);
	else
		entry__begin(&journal->data, journal->priority, text->bytes, text->count);
}

static int send_event(struct journal *journal, const struct peat_event *event)
{
	const char *source = peat_batch__source(journal->batch);

	clear(&journal->text);
	alert__message(&journal->text, source, event);
	begin_data(journal);
	if (!journal->is_syslog)
		alert__fields(&journal->data, source, event,
			      peat_batch__wall_clock(journal->batch));
	return send_data(journal);
}

static int send_report(struct journal *journal)
{
	uint64_t left_out = journal->rate.left_out;
	int err;

	clear(&journal->text);
	strbuf__unsigned(&journal->text, left_out);
	strbuf__text(&journal->text, left_out == 1 ? " alert was" : " alerts were");
	strbuf__text(&journal->text, " left out: the limit is ");
	strbuf__unsigned(&journal->text, journal->rate.most);
	strbuf__text(&journal->text, " a second");
	begin_data(journal);
	err = send_data(journal);
	if (!err)
		journal->rate.left_out = 0;
	return err;
}

/* ---- batches --------------------------------------------------------------------------------- */

static bool is_counted(const struct peat_event *event)
{
	return event->kind == PEAT_EVENT_DATA || event->kind == PEAT_EVENT_RECORD;
}

static void refuse_event(struct journal *journal, const struct peat_event *event, const char *why)
{
	journal->refused += is_counted(event);
	journal->why = why;
}

/* 0: the alert was sent or refused; -EAGAIN: later. */
static int pass_event(struct journal *journal, const struct peat_event *event)
{
	int err;

	if (!alert__is_wanted(event))
		return 0;
	if (!rate__take(&journal->rate, monotonic_ns())) {
		refuse_event(journal, event, "more alerts a second than the rate");
		return 0;
	}
	err = send_event(journal, event);
	if (err == -E2BIG) {
		refuse_event(journal, event, "too large for a datagram, and no file can be sent");
		return 0;
	}
	if (err)
		rate__give_back(&journal->rate);
	return err;
}

static void end_batch(struct journal *journal)
{
	struct peat_batch *batch = journal->batch;

	journal->batch = NULL;
	peat_output__settle(&journal->output, batch, journal->refused,
			    journal->refused ? journal->why : NULL);
	peat_batch__unref(batch);
}

/* Sends what can be sent now.  The number of batches that it ended. */
static int advance(struct journal *journal)
{
	struct peat_batch_cursor after = journal->at;
	struct peat_event event;

	if (rate__report_at(&journal->rate) <= monotonic_ns() && send_report(journal))
		return 0;
	if (!journal->batch)
		return 0;
	while (peat_batch__next(journal->batch, &after, &event)) {
		if (pass_event(journal, &event))
			return 0;
		journal->at = after;
	}
	end_batch(journal);
	return 1;
}

static int write_journal(struct peat_output *output, struct peat_batch *batch)
{
	struct journal *journal = (struct journal *)output;

	if (journal->batch)
		return -EAGAIN;
	journal->batch = peat_batch__ref(batch);
	journal->at = (struct peat_batch_cursor)PEAT_BATCH_START;
	journal->refused = 0;
	advance(journal);
	return 0;
}

/* Milliseconds until the journal has something to do by itself, at most `timeout_ms` (-1: any). */
static int next_timeout(const struct journal *journal, int timeout_ms)
{
	uint64_t now = monotonic_ns(), at = rate__report_at(&journal->rate), ms;

	if (journal->fd < 0 && (journal->batch || at < journal->retry_ns))
		at = journal->retry_ns;
	if (journal->is_blocked || at == UINT64_MAX)
		return timeout_ms;
	ms = at > now ? (at - now + 999999) / 1000000 : 0;
	return timeout_ms >= 0 && (uint64_t)timeout_ms < ms ? timeout_ms : (int)ms;
}

static int advance_journal(struct peat_output *output, int timeout_ms)
{
	struct journal *journal = (struct journal *)output;
	struct pollfd fds[2] = { { .fd = journal->wake_fd, .events = POLLIN } };
	int ended = advance(journal);

	if (ended)
		return ended;
	fds[1].fd = journal->is_blocked ? journal->fd : -1;
	fds[1].events = POLLOUT;
	poll(fds, 2, next_timeout(journal, timeout_ms));
	return advance(journal);
}

/* Its events that were not sent are refused. */
static void give_up_batch(struct journal *journal)
{
	struct peat_event event;

	while (peat_batch__next(journal->batch, &journal->at, &event))
		refuse_event(journal, &event, "closed");
	end_batch(journal);
}

/* ---- open and close -------------------------------------------------------------------------- */

struct choice {
	char *kind, *priority, *path;
	uint64_t rate;
};

static const struct setting_row rows[] = {
	{ "journal", SETTING_TEXT, offsetof(struct choice, kind), 0, 0 },
	{ "priority", SETTING_TEXT, offsetof(struct choice, priority), 0, 0 },
	{ "rate", SETTING_NUMBER, offsetof(struct choice, rate), 1, 1000000 },
	{ "socket", SETTING_TEXT, offsetof(struct choice, path), 0, 0 },
};

static const char *const priorities[] = { "emergency", "alert",	 "critical", "error",
					  "warning",   "notice", "info",     "debug" };

static int read_priority(struct journal *journal, const char *text)
{
	journal->priority = LOG_WARNING;
	if (!text)
		return 0;
	for (int i = 0; i <= LOG_DEBUG; i++)
		if (!strcmp(priorities[i], text)) {
			journal->priority = i;
			return 0;
		}
	return -EINVAL;
}

static int read_kind(struct journal *journal, const char *text)
{
	if (!text || !strcmp(text, "auto"))
		journal->is_syslog = access(JOURNALD_SOCKET, F_OK) != 0;
	else if (!strcmp(text, "syslog"))
		journal->is_syslog = true;
	else
		return strcmp(text, "journald") != 0 ? -EINVAL : 0;
	return 0;
}

static int use_choice(struct journal *journal, const struct peat_output_opts *opts,
		      const struct choice *choice)
{
	const char *path;

	if (read_kind(journal, choice->kind))
		return settings__refuse_value(opts, "journal", "expected journald, syslog or auto");
	if (read_priority(journal, choice->priority))
		return settings__refuse_value(
			opts, "priority",
			"expected emergency, alert, critical, error, warning, "
			"notice, info or debug");
	path = choice->path ?: journal->is_syslog ? SYSLOG_SOCKET : JOURNALD_SOCKET;
	journal->rate.most = choice->rate;
	journal->path = strdup(path);
	journal->name = strdup(opts->name);
	return journal->path && journal->name ? 0 : -ENOMEM;
}

static void free_journal(struct journal *journal)
{
	if (journal->fd >= 0)
		close(journal->fd);
	strbuf__free(&journal->text);
	strbuf__free(&journal->data);
	free(journal->name);
	free(journal->path);
	free(journal);
}

static struct peat_output *open_journal(const struct peat_output_opts *opts)
{
	struct journal *journal = calloc(1, sizeof(*journal));
	struct choice choice = { .rate = DEFAULT_RATE };
	int err;

	if (!journal)
		return fail_null(-ENOMEM);
	journal->output = (struct peat_output){ .sz = sizeof(journal->output),
						.ops = &journal_output,
						.settled = opts->settled,
						.arg = opts->arg };
	journal->fd = -1;
	journal->wake_fd = opts->wake_fd;
	err = settings__read(opts, rows, sizeof(rows) / sizeof(*rows), &choice);
	err = err ?: use_choice(journal, opts, &choice);
	free(choice.kind);
	free(choice.priority);
	free(choice.path);
	if (!err)
		return &journal->output;
	free_journal(journal);
	return fail_null(err);
}

static void close_journal(struct peat_output *output)
{
	struct journal *journal = (struct journal *)output;

	journal->retry_ns = 0;
	advance(journal);
	if (journal->rate.left_out)
		send_report(journal);
	if (journal->batch)
		give_up_batch(journal);
	free_journal(journal);
}

/* It connects when it sends. */
static int check_journal(const struct peat_output_opts *opts)
{
	struct peat_output *output = open_journal(opts);

	if (!output)
		return -errno;
	free_journal((struct journal *)output);
	return 0;
}

const struct peat_output_ops journal_output = {
	.check = check_journal,
	.sz = sizeof(journal_output),
	.name = "journal",
	.takes = PEAT_TAKES_EVENTS,
	.open = open_journal,
	.write = write_journal,
	.acknowledged = advance_journal,
	.close = close_journal,
};
