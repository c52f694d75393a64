// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* pcapng/sink.c: the sink that writes packets as pcapng. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/utsname.h>

#include <peat/peat.h>

#include "base/errors.h"
#include "base/escape.h"
#include "base/log.h"
#include "base/opts.h"
#include "event/recorded.h"
#include "field/fields.h"
#include "pcapng/exported_pdu.h"
#include "pcapng/interface_list.h"
#include "pcapng/link_type.h"
#include "print/destination.h"
#include "reader/types.h"

#define FLUSH_BYTES   (64u << 10)
#define COMMENT_BYTES 256

/* Lost events that no packet has reported yet. */
struct losses {
	uint64_t events;
	uint32_t causes; /* bits */
};

struct pcapng {
	struct peat_sink sink;
	struct peat_reader *reader; /* NULL: none */
	struct destination destination;
	int err;	  /* of writing: nothing is written after it */
	bool has_dropped; /* an event, for lack of memory */
	bool has_begun;	  /* the section is written, and wall_clock_ns is known */
	bool has_finished;
	int64_t wall_clock_ns;
	uint64_t last_ns;	       /* time of day of the newest packet */
	struct packet_members members; /* of the event before */
	bool has_packets;	       /* the type of `members` */
	struct interface_list interfaces;
	struct losses losses;
	struct peat_pcapng_stats stats;
	struct strbuf out;
	struct strbuf scratch; /* the bytes of a recorded packet */
};

/* ---- the section ----------------------------------------------------------------------------- */

static void put_section(struct pcapng *pcapng, const struct peat_recorded *recorded)
{
	struct utsname host = { .machine = "" };
	const char *release = host.release, *machine = host.machine;
	char os[128] = "";

	uname(&host);
	if (recorded) {
		release = recorded->release;
		machine = recorded->arch;
	}
	if (release && *release)
		snprintf(os, sizeof(os), "Linux %s", release);
	blocks__section(&pcapng->out,
			&(struct block_section){ .hardware = machine,
						 .os = os,
						 .application = "peat " PEAT_VERSION });
}

static void read_wall_clock(struct pcapng *pcapng)
{
	if (pcapng->reader && peat_reader__wall_clock(pcapng->reader, &pcapng->wall_clock_ns))
		log__warn("the recording has no time of day: its packets get dates from 1970 on: "
			  "record it with perf record -k CLOCK_MONOTONIC");
}

/* Removes an incomplete block.  0, or -ENOMEM: there was one. */
static int check_memory(struct pcapng *pcapng, size_t start)
{
	if (!pcapng->out.failed)
		return 0;
	strbuf__cut(&pcapng->out, start);
	pcapng->out.failed = false;
	pcapng->has_dropped = true;
	return -ENOMEM;
}

/* The header of a recording is known at the first event.  0 or -ENOMEM. */
static int begin_section(struct pcapng *pcapng, const struct peat_event *event)
{
	if (pcapng->has_begun)
		return 0;
	read_wall_clock(pcapng);
	put_section(pcapng, event ? event->recorded : NULL);
	pcapng->has_begun = !pcapng->out.failed;
	return check_memory(pcapng, 0);
}

/* ---- losses ---------------------------------------------------------------------------------- */

static void add_loss(struct pcapng *pcapng, const struct peat_event *event)
{
	pcapng->losses.events += event->lost;
	pcapng->losses.causes |= 1u << event->cause;
	pcapng->stats.lost += event->lost;
}

/* "12 events lost before this packet: ring_full, nested" */
static void describe_losses(const struct losses *losses, char *text, size_t room)
{
	const char *name, *before = ": ";
	int at = snprintf(text, room, "%llu event%s lost before this packet",
			  (unsigned long long)losses->events, losses->events == 1 ? "" : "s");

	for (uint32_t i = PEAT_LOST_UNKNOWN + 1;
	     (name = peat_lost_cause__name((enum peat_lost_cause)i)) && (size_t)at < room; i++)
		if (losses->causes & 1u << i) {
			at += snprintf(text + at, room - (size_t)at, "%s%s", before, name);
			before = ", ";
		}
}

/* All losses; a recording may report one twice as an event, but not in its sum. */
static uint64_t count_lost(const struct pcapng *pcapng)
{
	struct peat_reader_stats stats = { .sz = sizeof(stats) };

	if (!pcapng->reader || peat_reader__stats(pcapng->reader, &stats))
		return pcapng->stats.lost;
	return stats.lost;
}

/* ---- packets --------------------------------------------------------------------------------- */

/*
 * "pid 1234 (curl)".  The task that runs when a packet arrives has nothing to do with it, unless
 * the event is a call of that task.  0 is the idle task, and stands for an unknown task in events
 * without ids (tc before Linux 6.10).
 */
static void describe_task(const struct peat_event *event, const struct packet_view *view,
			  char *text, size_t room)
{
	struct strbuf comm = { 0 };

	*text = '\0';
	if (event->pid == PEAT_NO_TASK || !event->pid ||
	    (view->direction == BLOCK_INBOUND && view->link != LINK_UPPER_PDU))
		return;
	if (event->comm)
		escape__text(&comm, event->comm, strlen(event->comm), 0);
	if (comm.count)
		snprintf(text, room, "pid %u (%.*s)", event->pid, (int)comm.count, comm.bytes);
	else
		snprintf(text, room, "pid %u", event->pid);
	strbuf__free(&comm);
}

static uint64_t time_of_day(const struct pcapng *pcapng, const struct peat_event *event)
{
	return event->time_ns ? event->time_ns + (uint64_t)pcapng->wall_clock_ns : 0;
}

/* The most bytes that events of this type can have of a packet. */
static uint32_t snap_of(const struct packet_members *members)
{
	uint32_t bytes = members->data->bytes;

	return bytes && !members->ifindex ? bytes + EXPORTED_PDU_TAGS : bytes;
}

static void put_interface(struct pcapng *pcapng, const struct listed_interface *listed)
{
	const struct block_interface interface = {
		.name = listed->name,
		.link = listed->link,
		.snap = snap_of(&pcapng->members),
	};

	blocks__interface(&pcapng->out, &interface);
}

static void put_packet(struct pcapng *pcapng, const struct peat_event *event,
		       const struct packet_view *view, uint32_t interface)
{
	char task[COMMENT_BYTES], losses[COMMENT_BYTES] = "";
	struct block_packet packet = {
		.interface = interface,
		.time_ns = time_of_day(pcapng, event),
		.data = view->data,
		.captured = view->captured,
		.bytes = view->bytes,
		.direction = view->direction,
		.comments = { losses, task },
	};

	if (pcapng->losses.events)
		describe_losses(&pcapng->losses, losses, sizeof(losses));
	describe_task(event, view, task, sizeof(task));
	blocks__packet(&pcapng->out, &packet);
}

static void count_packet(struct pcapng *pcapng, const struct peat_event *event,
			 const struct packet_view *view, struct listed_interface *listed)
{
	uint64_t time_ns = time_of_day(pcapng, event);

	if (time_ns > pcapng->last_ns)
		pcapng->last_ns = time_ns;
	listed->packets++;
	pcapng->stats.packets++;
	pcapng->stats.cut += view->captured < view->bytes;
	pcapng->stats.empty += view->captured < view->bytes && !view->captured;
	pcapng->losses = (struct losses){ 0 };
}

/* 0 or -ENOMEM. */
static int add_packet(struct pcapng *pcapng, const struct peat_event *event,
		      const struct packet_view *view)
{
	uint32_t known = pcapng->interfaces.count;
	size_t start = pcapng->out.count;
	int64_t interface = interface_list__find(&pcapng->interfaces, event, view);

	if (interface < 0) {
		pcapng->has_dropped = true;
		return (int)interface;
	}
	if (interface >= known)
		put_interface(pcapng, &pcapng->interfaces.at[interface]);
	put_packet(pcapng, event, view, (uint32_t)interface);
	if (check_memory(pcapng, start)) {
		pcapng->interfaces.count = known;
		return -ENOMEM;
	}
	count_packet(pcapng, event, view, &pcapng->interfaces.at[interface]);
	return 0;
}

/* False: the events have no packets. */
static bool set_type(struct pcapng *pcapng, const struct peat_schema *schema)
{
	if (pcapng->members.schema != schema)
		pcapng->has_packets = packet_members__find(&pcapng->members, schema);
	return pcapng->has_packets;
}

static int add_packet_event(struct pcapng *pcapng, const struct peat_event *event)
{
	struct packet_view view;

	if (!event->schema || !set_type(pcapng, event->schema) ||
	    !packet_view__read(&view, &pcapng->members, event->data, event->size,
			       &pcapng->scratch)) {
		pcapng->stats.skipped++;
		return 0;
	}
	if (!pcapng->scratch.failed)
		return add_packet(pcapng, event, &view);
	pcapng->scratch.failed = false;
	pcapng->has_dropped = true;
	return -ENOMEM;
}

/* ---- the sink -------------------------------------------------------------------------------- */

static int write_out(struct pcapng *pcapng)
{
	uint64_t bytes = pcapng->out.count;

	if (pcapng->err || !bytes)
		return pcapng->err;
	pcapng->err = destination__write(&pcapng->destination, &pcapng->out);
	if (!pcapng->err)
		pcapng->stats.bytes += bytes;
	return pcapng->err;
}

static int flush_pcapng(struct peat_sink *sink)
{
	int err = write_out((struct pcapng *)sink);

	return err ? fail(err) : 0;
}

static int write_pcapng(struct peat_sink *sink, const struct peat_event *event)
{
	struct pcapng *pcapng = (struct pcapng *)sink;
	int err;

	if (pcapng->err || pcapng->has_finished)
		return fail(pcapng->err ? pcapng->err : -EINVAL);
	err = begin_section(pcapng, event);
	if (err)
		return fail(err);
	if (event->kind == PEAT_EVENT_LOST)
		add_loss(pcapng, event);
	else if (event->kind == PEAT_EVENT_DATA)
		err = add_packet_event(pcapng, event);
	else
		pcapng->stats.skipped++;
	if (err)
		return fail(err);
	return pcapng->out.count >= FLUSH_BYTES ? flush_pcapng(sink) : 0;
}

/* Losses cannot be assigned to one of several interfaces. */
static void put_statistics(struct pcapng *pcapng, uint32_t i)
{
	bool is_exact = pcapng->interfaces.count == 1 || !pcapng->stats.lost;
	struct block_statistics statistics = {
		.interface = i,
		.time_ns = pcapng->last_ns,
		.received = pcapng->interfaces.at[i].packets + (is_exact ? pcapng->stats.lost : 0),
		.dropped = pcapng->stats.lost,
		.is_exact = is_exact,
	};
	char comment[COMMENT_BYTES];
	size_t start = pcapng->out.count;

	snprintf(comment, sizeof(comment), "%llu events lost on all interfaces together",
		 (unsigned long long)pcapng->stats.lost);
	if (!is_exact)
		statistics.comment = comment;
	blocks__statistics(&pcapng->out, &statistics);
	check_memory(pcapng, start);
}

static int finish_pcapng(struct peat_sink *sink)
{
	struct pcapng *pcapng = (struct pcapng *)sink;
	int err;

	if (!pcapng->has_finished && !begin_section(pcapng, NULL)) {
		pcapng->stats.lost = count_lost(pcapng);
		for (uint32_t i = 0; i < pcapng->interfaces.count; i++)
			put_statistics(pcapng, i);
	}
	pcapng->has_finished = true;
	err = write_out(pcapng);
	if (!err && pcapng->has_dropped)
		err = -ENOMEM;
	return err ? fail(err) : 0;
}

static void free_pcapng(struct peat_sink *sink)
{
	struct pcapng *pcapng = (struct pcapng *)sink;

	interface_list__free(&pcapng->interfaces);
	strbuf__free(&pcapng->out);
	strbuf__free(&pcapng->scratch);
	free(pcapng);
}

int peat_pcapng__stats(struct peat_sink *sink, struct peat_pcapng_stats *callers_stats)
{
	struct pcapng *pcapng = (struct pcapng *)sink;
	struct peat_pcapng_stats stats;
	int err;

	if (sink->write != write_pcapng) {
		log__error("peat_pcapng__stats: the sink was not made by peat_sink__new_pcapng()");
		return fail(-EINVAL);
	}
	stats = pcapng->stats;
	stats.interfaces = pcapng->interfaces.count;
	err = opts__write(callers_stats, &stats, sizeof(stats), "peat_pcapng_stats");
	return err ? fail(err) : 0;
}

static int check_destination(int fd, const struct peat_pcapng_opts *opts)
{
	if (opts->output ? fd == -1 : fd >= 0)
		return 0;
	log__error("peat_sink__new_pcapng: invalid file descriptor %d: give one, or `output` and "
		   "-1",
		   fd);
	return -EINVAL;
}

struct peat_sink *peat_sink__new_pcapng(struct peat_reader *reader, int fd,
					const struct peat_pcapng_opts *callers_opts)
{
	struct peat_pcapng_opts opts = { .sz = sizeof(opts) };
	struct pcapng *pcapng;
	int err = opts__read(&opts, sizeof(opts), callers_opts, "peat_pcapng_opts");

	if (!err)
		err = check_destination(fd, &opts);
	if (!err)
		err = reader__check_process(reader);
	if (err)
		return fail_null(err);
	pcapng = calloc(1, sizeof(*pcapng));
	if (!pcapng)
		return fail_null(-ENOMEM);
	pcapng->sink = (struct peat_sink){ .sz = sizeof(struct peat_sink),
					   .write = write_pcapng,
					   .flush = flush_pcapng,
					   .free = free_pcapng,
					   .finish = finish_pcapng };
	pcapng->reader = reader;
	pcapng->destination =
		(struct destination){ .fd = fd, .write = opts.output, .arg = opts.output_arg };
	pcapng->wall_clock_ns = opts.wall_clock_ns;
	blocks__begin(&pcapng->out);
	return &pcapng->sink;
}
