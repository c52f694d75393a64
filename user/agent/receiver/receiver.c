// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* receiver/receiver.c: receives pieces of a stream, and writes their events. */
#include <stdlib.h>
#include <string.h>

#include <peat/receive.h>
#include <peat/where.h>

#include "audit/audit.h"
#include "base/errors.h"
#include "base/glob.h"
#include "base/log.h"
#include "base/monotonic.h"
#include "base/opts.h"
#include "jetstream/subject.h"
#include "merge/merge.h"
#include "receiver/event_lines.h"
#include "receiver/host_counts.h"
#include "receiver/inbox.h"
#include "receiver/piece_files.h"
#include "stream/stream.h"

#define DELAY_MS_MAX 20000
#define ACK_WAIT_MS  60000 /* longer than the delay, and writing */
#define TIMEOUT_MS   5000
#define MEMORY_BYTES (UINT64_C(64) << 20)
#define FETCHED	     16
#define SUBJECT	     "peat.%h.%s"

/* Refused or damaged messages that are logged: anybody may send more. */
#define LOGGED_MOST 100

struct peat_receiver {
	struct peat_receiver_opts opts; /* texts are the caller's until new() returns */
	char **hosts, *where, *subject; /* subject: "": not compared */
	struct strbuf expected;		/* subject of a piece */
	struct inbox inbox;
	struct audit *audit;
	struct merge *merge;	    /* of lines */
	struct event_lines lines;   /* likewise */
	struct host_counts *counts; /* of counts */
	struct where_text count_where;
	struct piece_files *files; /* of pieces */
	uint64_t end;	 /* the number of the last message; UINT64_MAX: none is the last */
	uint64_t newest; /* of the messages received */
	int err;	 /* of writing: it is over */
	struct peat_receiver_stats stats;
};

/* A piece whose events wait. */
struct waiting_piece {
	struct inbox_message *message;
	struct batch_lines *lines; /* NULL: none of its events was printed */
};

/* ---- events ---------------------------------------------------------------------------------- */

static void piece_done(void *arg, void *token, bool all)
{
	struct waiting_piece *piece = token;

	(void)arg;
	batch_lines__free(piece->lines);
	piece->message->waiting -= all;
	free(piece);
}

static int print_event(struct peat_receiver *receiver, const struct merged *merged)
{
	struct waiting_piece *piece = merged->token;

	if (!piece->lines)
		piece->lines = batch_lines__new(&receiver->lines, merged->info);
	return piece->lines ? batch_lines__add(piece->lines, &merged->event) : -errno;
}

static int write_lines(struct peat_receiver *receiver)
{
	int err = strbuf__write(&receiver->lines.out, receiver->opts.fd);

	if (err && err != -EPIPE)
		log__error("cannot write events: %s", strerror(-err));
	return err;
}

static int write_due(struct peat_receiver *receiver)
{
	const uint64_t now = monotonic_ns();
	struct merged merged;
	int err = 0;

	while (!err && receiver->merge && merge__next(receiver->merge, now, &merged)) {
		err = print_event(receiver, &merged);
		if (!err && receiver->lines.out.count >= 1 << 16)
			err = write_lines(receiver);
	}
	return err;
}

/* ---- pieces ---------------------------------------------------------------------------------- */

static bool is_wanted(const struct peat_receiver *receiver, const char *host)
{
	if (!receiver->hosts)
		return true;
	for (char **pattern = receiver->hosts; *pattern; pattern++)
		if (glob__match(*pattern, host, strlen(host)))
			return true;
	return false;
}

/* Measurements do not wait: their times are in them. */
static int print_points(struct peat_receiver *receiver, const struct piece_info *info,
			const struct peat_batch *batch)
{
	struct batch_lines *lines;
	int err;

	if (!info->points || receiver->opts.as != PEAT_RECEIVE_JSON)
		return 0;
	lines = batch_lines__new(&receiver->lines, info);
	err = lines ? batch_lines__add_points(lines, batch) : -errno;
	batch_lines__free(lines);
	return err;
}

static int count_batch(struct peat_receiver *receiver, const struct piece_info *info,
		       const struct peat_batch *batch)
{
	struct peat_batch_cursor at = PEAT_BATCH_START;
	struct batch_where where;
	struct peat_event event;
	int err = batch_where__begin(&where, &receiver->count_where), matches;

	host_counts__begin_batch(receiver->counts, info->host);
	while (!err && peat_batch__next(batch, &at, &event)) {
		matches = batch_where__test(&where, &event);
		err = matches > 0 ? host_counts__add(receiver->counts, &event) : matches;
		receiver->stats.filtered += !matches;
	}
	batch_where__end(&where);
	return err;
}

/* Takes the batch.  The memory of the message is counted with its first batch. */
static int hold(struct peat_receiver *receiver, struct inbox_message *message,
		struct peat_batch *batch, const struct piece_info *info)
{
	struct waiting_piece *piece = calloc(1, sizeof(*piece));
	struct piece_info held = *info;
	int err = piece ? 0 : -ENOMEM;

	if (!err) {
		piece->message = message;
		if (message->waiting++ < 2)
			held.decoded_bytes += message->message.count;
		err = merge__add(receiver->merge, batch, &held, piece, monotonic_ns());
	}
	if (!err)
		return 0;
	message->waiting -= !!piece;
	free(piece);
	peat_batch__unref(batch);
	return err;
}

/* The reason of damage is logged as often as damage is. */
static struct peat_batch *decode(const struct peat_receiver *receiver, const void *bytes,
				 size_t count, struct piece_info *info)
{
	const bool logs = receiver->stats.damaged < LOGGED_MOST;
	enum peat_log_level level = log__set_severest(logs ? PEAT_LOG_ERROR : PEAT_LOG_DEBUG);
	struct peat_batch *batch = piece__decode(bytes, count, PIECE_DECODED_MOST, info);

	log__set_severest(level);
	return batch;
}

/* 0; -EBADMSG, -E2BIG: the piece; another error. */
static int use_batch(struct peat_receiver *receiver, struct inbox_message *message,
		     const void *bytes, size_t count)
{
	struct piece_info info;
	struct peat_batch *batch = decode(receiver, bytes, count, &info);
	int err;

	if (!batch)
		return -errno;
	err = audit__add_points(receiver->audit, &info, batch);
	if (err == -ENOSPC)
		err = 0; /* a ledger with more outputs than is kept */
	err = err ?: print_points(receiver, &info, batch);
	if (!err && receiver->counts)
		err = count_batch(receiver, &info, batch);
	if (!err && receiver->merge)
		return hold(receiver, message, batch, &info);
	peat_batch__unref(batch);
	return err;
}

/* The audit alone needs no events; pieces are written as they are. */
static bool needs_batch(const struct peat_receiver *receiver, const struct piece_info *info)
{
	return receiver->merge || receiver->counts ||
	       (receiver->opts.as == PEAT_RECEIVE_AUDIT && info->points);
}

static bool logs_more(uint64_t count)
{
	if (count == LOGGED_MOST)
		log__warn("further messages that are refused or damaged are counted only");
	return count < LOGGED_MOST;
}

static void note_misnamed(struct peat_receiver *receiver, const struct stream_message *message,
			  const struct piece_info *info)
{
	audit__add_misnamed(receiver->audit);
	if (logs_more(receiver->stats.misnamed++))
		log__warn("message %llu of the stream: a batch is refused: it is of host %s and "
			  "source %s, and its subject is %s: if agents have another subject than "
			  "%s, name theirs",
			  (unsigned long long)message->sequence, info->host, info->source,
			  message->subject, receiver->subject);
}

/* The server checks senders by the subject alone, so the piece has to agree.  1; 0; -ENOMEM. */
static int is_of_subject(struct peat_receiver *receiver, const struct stream_message *message,
			 const struct piece_info *info)
{
	struct strbuf *expected = &receiver->expected;

	if (!*receiver->subject)
		return 1;
	strbuf__cut(expected, 0);
	subject__append(expected, receiver->subject, info->host, info->source);
	return expected->failed ? -ENOMEM : !strcmp(expected->bytes, message->subject);
}

/* 0: new; -EALREADY; another error. */
static int note_piece(struct peat_receiver *receiver, const struct piece_info *info)
{
	int err = audit__add_piece(receiver->audit, info);

	if (err != -ENOSPC)
		return err;
	if (!receiver->stats.unnoted++)
		log__warn("more hosts, runs of agents or gaps than can be kept: further ones are "
			  "not in the audit, and may be written twice");
	return 0;
}

static int use_piece(struct peat_receiver *receiver, struct inbox_message *message,
		     const struct piece_info *measured, const void *bytes, size_t count)
{
	int err = is_of_subject(receiver, &message->message, measured);

	receiver->stats.pieces++;
	if (!err)
		note_misnamed(receiver, &message->message, measured);
	if (err <= 0 || !is_wanted(receiver, measured->host))
		return err < 0 ? err : 0;
	err = note_piece(receiver, measured);
	if (err == -EALREADY) {
		receiver->stats.repeated++;
		return 0;
	}
	if (!err && needs_batch(receiver, measured))
		err = use_batch(receiver, message, bytes, count);
	if (!err && receiver->files) {
		err = piece_files__write(receiver->files, measured->host, bytes, count);
		receiver->stats.events += err ? 0 : measured->events;
	}
	return err;
}

/* ---- messages -------------------------------------------------------------------------------- */

/* Damaged messages would arrive forever: they are given up. */
static void note_damage(struct peat_receiver *receiver, const struct stream_message *message,
			int err)
{
	if (!logs_more(receiver->stats.damaged++))
		return;
	log__warn("message %llu of the stream is %s: the rest of it is left out",
		  (unsigned long long)message->sequence, err == -E2BIG ? "too large" : "damaged");
}

/* All pieces of a message. */
static int use_message(struct peat_receiver *receiver, struct inbox_message *message)
{
	const char *bytes = message->message.bytes;
	size_t left = message->message.count;
	struct piece_info info;
	ssize_t count;
	int err;

	while (left) {
		count = piece__measure(bytes, left, &info);
		err = count > 0 ? use_piece(receiver, message, &info, bytes, (size_t)count)
				: -EBADMSG;
		if (err == -EBADMSG || err == -E2BIG) {
			note_damage(receiver, &message->message, err);
			return 0;
		}
		if (err)
			return err;
		bytes += count;
		left -= (size_t)count;
	}
	return 0;
}

static int take_message(struct peat_receiver *receiver, const struct stream_message *message)
{
	const uint64_t sequence = message->sequence;
	struct inbox_message *added = inbox__add(&receiver->inbox, message);

	receiver->stats.messages++;
	if (sequence > receiver->newest)
		receiver->newest = sequence;
	if (!added)
		return errno == EALREADY ? 0 : -errno;
	added->waiting++; /* until all of it is used */
	receiver->err = use_message(receiver, added);
	added->waiting -= !receiver->err;
	return receiver->err;
}

/* After an error the other messages arrive again. */
static int take_messages(struct peat_receiver *receiver, struct stream_message *messages, int count)
{
	int err = 0;

	for (int i = 0; i < count; i++) {
		if (err)
			stream__return(receiver->inbox.stream, &messages[i]);
		else
			err = take_message(receiver, &messages[i]);
	}
	return err;
}

/* ---- the loop -------------------------------------------------------------------------------- */

static uint64_t wait_ms(const struct peat_receiver *receiver, uint64_t timeout_ms)
{
	uint64_t due_ns =
		receiver->merge ? merge__wait_ns(receiver->merge, monotonic_ns()) : UINT64_MAX;

	if (due_ns / 1000000 < timeout_ms)
		return due_ns / 1000000 + 1;
	return timeout_ms;
}

/* All messages that were used are safe: acknowledges them. */
static int finish_writing(struct peat_receiver *receiver)
{
	int err = receiver->merge ? write_lines(receiver) : 0;

	if (!err && receiver->files)
		err = piece_files__sync(receiver->files);
	if (err)
		receiver->err = err;
	else if (inbox__acknowledge(&receiver->inbox))
		log__warn("cannot acknowledge messages: they will arrive again");
	return err;
}

/* Whether that is all: `count` messages have arrived. */
static int check_end(struct peat_receiver *receiver, int count)
{
	int64_t pending;

	if (receiver->end == UINT64_MAX)
		return 0;
	if (receiver->newest >= receiver->end)
		return -ENODATA;
	if (count)
		return 0;
	pending = stream__pending(receiver->inbox.stream);
	if (pending < 0)
		return (int)pending;
	return pending ? 0 : -ENODATA;
}

int peat_receiver__step(struct peat_receiver *receiver, uint64_t timeout_ms)
{
	struct stream_message messages[FETCHED];
	int count, err;

	if (receiver->err)
		return fail(receiver->err);
	err = check_end(receiver, 1);
	if (err)
		return fail(err);
	count = stream__fetch(receiver->inbox.stream, wait_ms(receiver, timeout_ms), messages,
			      FETCHED);
	if (count < 0)
		return fail(count);
	err = take_messages(receiver, messages, count);
	err = err ?: write_due(receiver);
	if (err && !receiver->err)
		receiver->err = err;
	err = err ?: finish_writing(receiver);
	err = err ?: check_end(receiver, count);
	return err ? fail(err) : count;
}

int peat_receiver__finish(struct peat_receiver *receiver)
{
	int err = receiver->err;

	if (err)
		return fail(err);
	if (receiver->merge)
		merge__hold_nothing(receiver->merge);
	err = write_due(receiver);
	err = err ?: finish_writing(receiver);
	return err ? fail(err) : 0;
}

/* ---- numbers --------------------------------------------------------------------------------- */

int peat_receiver__stats(const struct peat_receiver *receiver, struct peat_receiver_stats *stats)
{
	struct peat_receiver_stats ours = receiver->stats;
	struct merge_counts counts;

	if (receiver->merge) {
		merge__read_counts(receiver->merge, &counts);
		ours.late = counts.late;
		ours.hurried = counts.hurried;
		ours.events = receiver->lines.events;
		ours.filtered = receiver->lines.filtered;
	}
	if (receiver->counts)
		ours.uncounted = host_counts__left_out(receiver->counts);
	ours.sz = stats->sz;
	return opts__write(stats, &ours, sizeof(ours), "peat_receiver__stats()");
}

char *peat_receiver__audit(const struct peat_receiver *receiver, bool json)
{
	int err = audit__explain(receiver->audit);

	if (err)
		return fail_null(err);
	return json ? audit__json(receiver->audit) : audit__text(receiver->audit);
}

struct peat_table *peat_receiver__counts(const struct peat_receiver *receiver)
{
	return receiver->counts ? host_counts__table(receiver->counts) : fail_null(-EINVAL);
}

int peat_receiver__check_counts(const struct peat_receiver *receiver)
{
	int err = receiver->counts ? host_counts__check(receiver->counts) : -EINVAL;

	return err ? fail(err) : 0;
}

bool peat_receiver__lacks_events(const struct peat_receiver *receiver)
{
	return audit__explain(receiver->audit) || audit__lacks_events(receiver->audit);
}

/* ---- the object ------------------------------------------------------------------------------ */

static int refuse(const char *why)
{
	log__error("peat_receiver__new(): %s", why);
	return -EINVAL;
}

static int check_subject(const char *subject)
{
	const char *why = subject && *subject ? subject__find_fault(subject) : NULL;

	if (why)
		log__error("peat_receiver__new(): subject '%s': %s", subject, why);
	return why ? -EINVAL : 0;
}

static int check(const struct peat_receiver_opts *opts)
{
	struct peat_where *where;

	if (!opts->servers)
		return refuse("servers are missing");
	if (opts->delay_ms > DELAY_MS_MAX)
		return refuse("events wait for at most 20 seconds");
	if (opts->as == PEAT_RECEIVE_COUNTS && (!opts->count || !opts->by || opts->consumer))
		return refuse("counts need count and by, and no consumer");
	if (opts->where && (opts->as == PEAT_RECEIVE_PIECES || opts->as == PEAT_RECEIVE_AUDIT))
		return refuse("pieces are written whole: filter them when they are replayed");
	if (opts->directory && opts->as != PEAT_RECEIVE_PIECES)
		return refuse("pieces alone go to a directory");
	if (opts->only_new && (opts->consumer || opts->to_end))
		return refuse("only_new is without a consumer, and without an end");
	if (check_subject(opts->subject))
		return -EINVAL;
	if (!opts->where)
		return 0;
	where = peat_where__parse(opts->where);
	if (!where)
		return -errno;
	peat_where__free(where);
	return 0;
}

static int copy_hosts(struct peat_receiver *receiver, const char *const *hosts)
{
	size_t count = 0;

	if (!hosts || !*hosts)
		return 0;
	while (hosts[count])
		count++;
	receiver->hosts = calloc(count + 1, sizeof(*receiver->hosts));
	for (size_t i = 0; receiver->hosts && i < count; i++) {
		receiver->hosts[i] = strdup(hosts[i]);
		if (!receiver->hosts[i])
			return -ENOMEM;
	}
	return receiver->hosts ? 0 : -ENOMEM;
}

static int make_output(struct peat_receiver *receiver, const struct peat_receiver_opts *opts)
{
	const struct merge_opts merge = { .delay_ns = opts->delay_ms * 1000000,
					  .memory_bytes = opts->memory_bytes ?: MEMORY_BYTES,
					  .done = piece_done };

	if (opts->as == PEAT_RECEIVE_AUDIT)
		return 0;
	if (opts->as == PEAT_RECEIVE_PIECES) {
		receiver->files = piece_files__new(opts->directory, opts->fd);
		return receiver->files ? 0 : -errno;
	}
	if (opts->where) {
		receiver->where = strdup(opts->where);
		if (!receiver->where)
			return -ENOMEM;
	}
	if (opts->as == PEAT_RECEIVE_COUNTS) {
		receiver->count_where.text = receiver->where;
		receiver->counts = host_counts__new(opts->count, opts->by, opts->sort);
		return receiver->counts ? 0 : -errno;
	}
	receiver->lines.is_json = opts->as == PEAT_RECEIVE_JSON;
	receiver->lines.where.text = receiver->where;
	receiver->merge = merge__new(&merge);
	return receiver->merge ? 0 : -ENOMEM;
}

static int connect_to(struct peat_receiver *receiver, const struct peat_receiver_opts *opts)
{
	const struct stream_opts stream = { .servers = opts->servers,
					    .stream = opts->stream ?: "PEAT",
					    .consumer = opts->consumer,
					    .only_new = opts->only_new,
					    .access = { .credentials_file = opts->credentials_file,
							.user = opts->user,
							.password_file = opts->password_file,
							.token_file = opts->token_file,
							.password = opts->password,
							.token = opts->token,
							.ca_file = opts->ca_file,
							.cert_file = opts->cert_file,
							.key_file = opts->key_file },
					    .timeout_ms = TIMEOUT_MS,
					    .ack_wait_ms = ACK_WAIT_MS };

	receiver->inbox.stream = stream__open(&stream);
	if (!receiver->inbox.stream)
		return -errno;
	receiver->end = opts->to_end ? stream__last_sequence(receiver->inbox.stream) : UINT64_MAX;
	return 0;
}

struct peat_receiver *peat_receiver__new(const struct peat_receiver_opts *callers)
{
	struct peat_receiver_opts opts = { .sz = sizeof(opts) };
	struct peat_receiver *receiver;
	int err = opts__read(&opts, sizeof(opts), callers, "peat_receiver__new()");

	err = err ? -EINVAL : check(&opts);
	if (err)
		return fail_null(err);
	receiver = calloc(1, sizeof(*receiver));
	if (!receiver)
		return fail_null(-ENOMEM);
	receiver->opts = opts;
	receiver->audit = audit__new(opts.output);
	receiver->subject = strdup(opts.subject ?: SUBJECT);
	err = receiver->audit && receiver->subject ? 0 : -ENOMEM;
	err = err ?: copy_hosts(receiver, opts.hosts);
	err = err ?: make_output(receiver, &opts);
	err = err ?: connect_to(receiver, &opts);
	if (!err)
		return receiver;
	peat_receiver__free(receiver);
	return fail_null(err);
}

void peat_receiver__free(struct peat_receiver *receiver)
{
	if (!receiver)
		return;
	merge__free(receiver->merge); /* its pieces are of messages of the inbox */
	inbox__return(&receiver->inbox);
	stream__close(receiver->inbox.stream);
	piece_files__free(receiver->files);
	audit__free(receiver->audit);
	event_lines__free(&receiver->lines);
	host_counts__free(receiver->counts);
	strbuf__free(&receiver->count_where.misfits);
	for (char **host = receiver->hosts; host && *host; host++)
		free(*host);
	free(receiver->hosts);
	free(receiver->where);
	free(receiver->subject);
	strbuf__free(&receiver->expected);
	free(receiver);
}
