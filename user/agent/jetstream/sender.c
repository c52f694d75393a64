// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* jetstream/sender.c: sends messages, and sends them again. */
#ifdef HAVE_NATS

#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/errors.h"
#include "base/log.h"
#include "base/monotonic.h"
#include "base/sip_hash.h"
#include "jetstream/sender.h"
#include "jetstream/stored.h"
#include "jetstream/subject.h"
#include "jetstream/verdict.h"

#define NS_PER_MS UINT64_C(1000000)

/* A new leader is elected within seconds. */
#define LONGEST_PAUSE_NS (5000 * NS_PER_MS)

#define for_each_lane(sender, lane)                                                                \
	for (size_t at_ = 0; at_ < (sender)->lane_count; at_++)                                    \
		for (struct lane *lane = (sender)->lanes[at_]; lane; lane = NULL)

int sender__init(struct sender *sender)
{
	uint64_t random[2];
	int err = mailbox__open(&sender->mailbox);

	sender->has_mailbox = !err;
	sender->backoff.longest_ns = LONGEST_PAUSE_NS;
	/* Agents spread over the servers. */
	sip_hash__seed(random);
	sender->server = random[0] % sender->config->servers.count;
	return err;
}

static const struct server *server_of(const struct sender *sender)
{
	return &sender->config->servers.at[sender->server];
}

/* ---- messages -------------------------------------------------------------------------------- */

static bool was_logged(const struct sender *sender, const char *why)
{
	for (size_t i = 0; i < sender->reason_count; i++)
		if (!strcmp(sender->reasons[i], why))
			return true;
	return sender->reason_count == SENDER_REASONS;
}

/* A message for each reason of a failure, not for each try. */
static void log_failure(struct sender *sender, const char *what, const char *why)
{
	if (was_logged(sender, why))
		return;
	log__warn("output %s: cannot %s %s, trying again: %s", sender->name, what,
		  server_of(sender)->url, why);
	snprintf(sender->reasons[sender->reason_count++], NEWS_WHY, "%s", why);
}

static void log_success(struct sender *sender)
{
	if (!sender->reason_count)
		return;
	for_each_lane(sender, lane) if (lane->is_failing) return;
	log__info("output %s: the stream %s at %s stores events again", sender->name,
		  sender->config->stream, server_of(sender)->url);
	sender->reason_count = 0;
}

static void log_refusal(struct sender *sender, const char *why)
{
	if (!strcmp(sender->refusal, why))
		return;
	log__warn("output %s: %s refuses events: %s", sender->name, server_of(sender)->url, why);
	snprintf(sender->refusal, sizeof(sender->refusal), "%s", why);
}

static void pause_sending(struct backoff *backoff)
{
	uint64_t random[2];

	sip_hash__seed(random);
	backoff__fail(backoff, monotonic_ns(), 0, random[0]);
}

/* ---- connections ----------------------------------------------------------------------------- */

/* News of the former connection do not arrive from now on; its messages will be sent again. */
static void drop_connection(struct sender *sender)
{
	sender->number = mailbox__renew(&sender->mailbox);
	connection__close(&sender->connection);
	sender->state = SENDER_IDLE;
	for_each_lane(sender, lane)
	{
		lane->is_read = lane->is_read && !lane->under_way;
		lane->under_way = NULL;
	}
}

/* The next server is tried at once; once all have failed, they are left alone for a while. */
static void try_next_server(struct sender *sender)
{
	const size_t count = sender->config->servers.count;

	drop_connection(sender);
	sender->server = (sender->server + 1) % count;
	if (++sender->servers_failed >= count)
		pause_sending(&sender->backoff);
}

static void begin_connection(struct sender *sender)
{
	char why[NEWS_WHY];

	sender->number = mailbox__renew(&sender->mailbox);
	if (!connection__begin(sender->config, server_of(sender), sender->number, why)) {
		sender->state = SENDER_CONNECTING;
		return;
	}
	log_failure(sender, "connect to", why);
	try_next_server(sender);
}

static void use_connection(struct sender *sender, struct news *news)
{
	natsConnection *nats = news->connection;

	news->connection = NULL;
	sender->state = SENDER_CONNECTED;
	sender->is_blind = false;
	if (connection__use(&sender->connection, nats, sender->config, sender->number))
		return;
	log_failure(sender, "use", "no memory");
	try_next_server(sender);
}

/* ---- answers --------------------------------------------------------------------------------- */

static int note_settled(struct sender *sender, struct lane *lane, size_t count)
{
	lane->under_way = NULL;
	lane->is_failing = false;
	backoff__succeed(&lane->backoff);
	backoff__succeed(&sender->backoff);
	sender->servers_failed = 0;
	sender->batches -= count;
	return (int)count;
}

static int end_message(struct sender *sender, struct lane *lane, const char *refused_for)
{
	const size_t count = lane__settle(lane, refused_for, sender->settled, sender->arg);

	return note_settled(sender, lane, count);
}

/* Settles the batches that the stream is known to have. */
static int end_stored(struct sender *sender, struct lane *lane)
{
	const size_t count = lane__settle_stored(lane, sender->settled, sender->arg);
	const int settled = count ? note_settled(sender, lane, count) : 0;

	if (settled)
		log_success(sender);
	return settled;
}

/* Whatever the reason, another server may have stored the message. */
static void send_later(struct sender *sender, struct lane *lane, const char *why)
{
	lane->under_way = NULL;
	lane->is_read = false;
	lane->is_failing = true;
	log_failure(sender, "store events at", why);
	pause_sending(&lane->backoff);
}

static int end_large_message(struct sender *sender, struct lane *lane, const char *why)
{
	lane->under_way = NULL;
	if (lane__shrink(lane))
		return 0;
	log_refusal(sender, why);
	return end_message(sender, lane, why);
}

/* The last message is read at once, and then the message is sent again. */
static void read_again(struct sender *sender, struct lane *lane)
{
	lane->under_way = NULL;
	if (lane__note_outdated(lane))
		log__warn("output %s: other agents send to %s, too: after a failure, events may be "
			  "stored twice: give each host and source a subject of its own",
			  sender->name, lane->subject.bytes);
}

/* The number of batches that were settled. */
static int act_on(struct sender *sender, struct lane *lane, const struct news *news)
{
	char why[NEWS_WHY];
	int settled;

	switch (verdict__of(news->status, news->code, news->why, why)) {
	case VERDICT_STORED:
		lane__note_stored(lane, news->sequence);
		settled = end_message(sender, lane, NULL);
		log_success(sender);
		return settled;
	case VERDICT_OUTDATED:
		read_again(sender, lane);
		return 0;
	case VERDICT_REFUSED:
		/* libnats alone refuses it, and a former server may have stored it. */
		if (!news->code && lane->was_sent)
			break;
		return end_large_message(sender, lane, why);
	case VERDICT_RETRY:
		send_later(sender, lane, why);
		return 0;
	case VERDICT_ELSEWHERE:
		break;
	}
	send_later(sender, lane, why);
	try_next_server(sender);
	return 0;
}

static struct lane *lane_of(const struct sender *sender, const natsMsg *message)
{
	for_each_lane(sender, lane) if (lane->under_way == message) return lane;
	return NULL;
}

static int take_answer(struct sender *sender, const struct news *news)
{
	struct lane *lane = lane_of(sender, news->message);

	return lane ? act_on(sender, lane, news) : 0;
}

static int take_news(struct sender *sender)
{
	struct news *news;
	bool has_lost;
	int settled = 0;

	while ((news = mailbox__take(&sender->mailbox, &has_lost)) || has_lost) {
		if (has_lost) {
			try_next_server(sender);
		} else if (news->kind == NEWS_ANSWER) {
			settled += take_answer(sender, news);
		} else if (news->kind == NEWS_CONNECTED) {
			use_connection(sender, news);
		} else {
			log_failure(sender,
				    sender->state == SENDER_CONNECTED ? "stay connected to"
								      : "connect to",
				    news->why);
			try_next_server(sender);
		}
		news__free(news);
	}
	return settled;
}

/* ---- sending --------------------------------------------------------------------------------- */

/*
 * nats-server 2.9.10 looks for an equal id before it compares the numbers: a message that is stored
 * already counts as stored.
 */
static void set_options(jsPubOptions *options, const struct sender *sender, const struct lane *lane)
{
	jsPubOptions_Init(options);
	options->MaxWait = (int64_t)sender->config->timeout_ms;
	options->MsgId = lane->id.bytes;
	options->ExpectStream = sender->config->stream;
	if (!lane__names_last(lane))
		return;
	options->ExpectLastSubjectSeq = lane->sequence;
	options->ExpectNoMessage = !lane->sequence;
}

/* The number of batches that were settled. */
static int publish(struct sender *sender, struct lane *lane)
{
	natsMsg *message = lane__message(lane);
	struct news failed = { .kind = NEWS_ANSWER };
	jsPubOptions options;
	int settled;

	if (!message) {
		send_later(sender, lane, "no memory");
		return 0;
	}
	set_options(&options, sender, lane);
	lane->under_way = message;
	failed.status = js_PublishMsgAsync(sender->connection.stream, &message, &options);
	lane->was_sent = lane->was_sent || failed.status != NATS_MAX_PAYLOAD;
	if (!failed.status)
		return 0;
	snprintf(failed.why, sizeof(failed.why), "%s", nats_options__error(failed.status));
	settled = act_on(sender, lane, &failed);
	natsMsg_Destroy(message);
	return settled;
}

static bool can_send(const struct sender *sender, const struct lane *lane)
{
	return sender->state == SENDER_CONNECTED && lane->count && !lane->under_way &&
	       backoff__is_over(&lane->backoff, monotonic_ns());
}

/* Reads the last message of the subject.  The number of batches that were settled. */
static int read_last(struct sender *sender, struct lane *lane)
{
	struct news failed = { .kind = NEWS_ANSWER };
	enum stored_answer answer = STORED_FORBIDDEN;

	if (!sender->is_blind)
		answer = stored__read(&sender->connection, sender->config, lane->subject.bytes,
				      &lane->last, &failed);
	if (answer == STORED_UNKNOWN)
		return act_on(sender, lane, &failed);
	sender->is_blind = answer == STORED_FORBIDDEN;
	if (sender->is_blind)
		lane__note_forbidden(lane);
	else
		lane__note_read(lane);
	return end_stored(sender, lane);
}

/*
 * A message that is refused is followed by another one at once.  Batches that come after the last
 * message was read may be in it, too.
 */
static int send_lane(struct sender *sender, struct lane *lane)
{
	int settled = 0;

	while (can_send(sender, lane))
		if (!lane->is_read)
			settled += read_last(sender, lane);
		else
			settled += end_stored(sender, lane) ?: publish(sender, lane);
	return settled;
}

static int make_progress(struct sender *sender)
{
	int settled = take_news(sender);

	if (sender->state == SENDER_IDLE && backoff__is_over(&sender->backoff, monotonic_ns()))
		begin_connection(sender);
	for_each_lane(sender, lane) settled += send_lane(sender, lane);
	return settled;
}

/* ---- the output ------------------------------------------------------------------------------ */

static struct lane *find_lane(const struct sender *sender, const char *subject)
{
	for_each_lane(sender, lane) if (!strcmp(lane->subject.bytes, subject)) return lane;
	return NULL;
}

static struct lane *add_lane(struct sender *sender, const char *subject)
{
	struct lane *lane;

	if (!ARRAY_RESERVE_NEXT(sender->lanes, sender->lane_count))
		return NULL;
	lane = lane__new(subject);
	if (lane) {
		lane->backoff.longest_ns = LONGEST_PAUSE_NS;
		sender->lanes[sender->lane_count++] = lane;
	}
	return lane;
}

/* Sources whose subject is the same share a lane.  NULL: no memory. */
static struct lane *lane_for(struct sender *sender, const struct peat_batch *batch)
{
	struct strbuf *subject = &sender->subject;

	strbuf__cut(subject, 0);
	subject__append(subject, sender->config->subject, sender->origin.host,
			peat_batch__source(batch));
	if (subject->failed) {
		strbuf__free(subject);
		return NULL;
	}
	return find_lane(sender, subject->bytes) ?: add_lane(sender, subject->bytes);
}

static int add_batch(struct sender *sender, struct lane *lane, struct peat_batch *batch)
{
	struct peat_origin origin = { .sz = sizeof(origin) };
	const int level = (int)sender->config->level;

	if (sender->batch_origin)
		sender->batch_origin(sender->batch_arg, batch, &origin);
	return lane__add(lane, batch, origin.number ? &origin : NULL, &sender->origin, level);
}

static void refuse_batch(struct sender *sender, struct peat_batch *batch, int err)
{
	const uint64_t count = peat_batch__events(batch) + peat_batch__points(batch);
	char why[NEWS_WHY];

	snprintf(why, sizeof(why), "cannot be encoded: %s",
		 err == -E2BIG ? "it is too large" : strerror(-err));
	sender->settled(sender->arg, batch, count, count ? why : NULL);
}

int sender__send(struct sender *sender, struct peat_batch *batch)
{
	struct lane *lane;
	int err;

	sender->was_full = sender->batches >= sender->config->window;
	if (sender->was_full)
		return -EAGAIN;
	lane = lane_for(sender, batch);
	err = lane ? add_batch(sender, lane, batch) : -ENOMEM;
	if (err) {
		refuse_batch(sender, batch, err);
		return 0;
	}
	sender->batches++;
	send_lane(sender, lane);
	return 0;
}

static void sooner(uint64_t *until_ns, const struct backoff *backoff)
{
	if (backoff->until_ns < *until_ns && !backoff__is_over(backoff, monotonic_ns()))
		*until_ns = backoff->until_ns;
}

/* The end of a pause, if that is sooner. */
static uint64_t next_time(const struct sender *sender, uint64_t until_ns)
{
	if (sender->state == SENDER_IDLE)
		sooner(&until_ns, &sender->backoff);
	if (sender->state == SENDER_CONNECTED)
		for_each_lane(sender, lane) if (lane->count) sooner(&until_ns, &lane->backoff);
	return until_ns;
}

/* Rounded up, so that the time has come after a wait. */
static int ms_until(uint64_t until_ns)
{
	const uint64_t now_ns = monotonic_ns();
	const uint64_t ms = until_ns > now_ns ? (until_ns - now_ns + NS_PER_MS - 1) / NS_PER_MS : 0;

	return until_ns == UINT64_MAX ? -1 : ms < INT_MAX ? (int)ms : INT_MAX;
}

/* True: wake_fd is readable. */
static bool wait_for_news(const struct sender *sender, uint64_t until_ns)
{
	struct pollfd fds[] = { { .fd = sender->mailbox.fd, .events = POLLIN },
				{ .fd = sender->wake_fd, .events = POLLIN } };

	return poll(fds, 2, ms_until(next_time(sender, until_ns))) > 0 && fds[1].revents;
}

static bool can_take(const struct sender *sender)
{
	return sender->batches < sender->config->window;
}

int sender__run(struct sender *sender, int timeout_ms)
{
	const uint64_t until_ns =
		timeout_ms < 0 ? UINT64_MAX : monotonic_ns() + (uint64_t)timeout_ms * NS_PER_MS;
	int settled = make_progress(sender);

	while (!settled && !(sender->was_full && can_take(sender)) && monotonic_ns() < until_ns) {
		const bool is_woken = wait_for_news(sender, until_ns);

		settled = make_progress(sender);
		if (is_woken)
			break;
	}
	sender->was_full = sender->was_full && !can_take(sender);
	return settled;
}

void sender__free(struct sender *sender)
{
	if (sender->has_mailbox) {
		drop_connection(sender);
		mailbox__close(&sender->mailbox);
	}
	for_each_lane(sender, lane) lane__free(lane, sender->settled, sender->arg);
	free(sender->lanes);
	strbuf__free(&sender->subject);
}

#endif /* HAVE_NATS */
