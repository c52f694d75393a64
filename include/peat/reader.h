/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * reader.h: pulls events out of the perf rings of a BPF_MAP_TYPE_PERF_EVENT_ARRAY: those of a
 * channel, or the raw samples of programs that know nothing of peat.
 *
 *	struct peat_reader *reader = peat_reader__new(channel, NULL);
 *	const struct peat_event *event;
 *
 *	while (peat_reader__wait(reader, -1) >= 0)
 *		while (peat_reader__next(reader, &event) > 0)
 *			use(event->data, event->size);
 *	peat_reader__free(reader);
 *
 * In a loop of your own, watch peat_reader__fd() for EPOLLIN, and then call peat_reader__next()
 * until it returns 0.
 */
#ifndef PEAT_READER_H
#define PEAT_READER_H

#include <peat/channel.h>
#include <peat/common.h>
#include <peat/ledger.h>
#include <peat/record.h>
#include <peat/schema.h>

PEAT_BEGIN_DECLS

struct peat_reader;

/*
 * Records that the kernel writes by itself, no BPF program needed.  As events they have the kind
 * PEAT_EVENT_RECORD, with `record`, and with `data` and `schema` like any other.
 */
enum peat_kind {
	PEAT_KIND_TASK = 1 << 0,       /* fork, exit */
	PEAT_KIND_COMM = 1 << 1,       /* changes of a task's name, by exec or by itself */
	PEAT_KIND_MMAP = 1 << 2,       /* files and memory mapped */
	PEAT_KIND_SWITCH = 1 << 3,     /* context switches */
	PEAT_KIND_NAMESPACES = 1 << 4, /* a task entered other namespaces */
	PEAT_KIND_CGROUP = 1 << 5,     /* cgroups made */
	PEAT_KIND_KSYMBOL = 1 << 6,    /* kernel symbols that come and go: of BPF, of ftrace */
	PEAT_KIND_BPF = 1 << 7,	       /* BPF programs loaded and unloaded */
	PEAT_KIND_TEXTPOKE = 1 << 8,   /* changes of the kernel's code */
	/* Of recordings alone: */
	PEAT_KIND_OTHER = 1 << 9, /* all other records of the kernel's, but losses */
	PEAT_KIND_TOOL = 1 << 10  /* those that perf itself writes: PEAT_EVENT_TOOL */
};

/* "task" and so on, for one of them; and back, 0 for what is none. */
PEAT_API const char *peat_kind__name(enum peat_kind kind);
PEAT_API uint32_t peat_kind__find(const char *name);

/* The i-th type of events of one kind, counted from 0; NULL behind the last. */
PEAT_API const struct peat_schema *peat_kind__schema(enum peat_kind kind, uint32_t i);

struct peat_reader_opts {
	size_t sz; /* sizeof(struct peat_reader_opts) */
	/*
	 * How long an event may lie in a slot or a ring before the reader learns of it.  0 wakes
	 * the reader for every event, which costs the traced program some microseconds each; a
	 * channel needs batch_bytes 0 for that.
	 */
	uint32_t latency_ms;
	/* The kernel's own records that are wanted as events: PEAT_KIND_*, or-ed. */
	uint32_t kinds;
	/*
	 * For all rings and the channel's stage together; 0: 1 MiB a CPU, but at most 1 % of RAM
	 * and 256 MiB, for the rings alone.  The rings share it that there are at first: those of
	 * `cpus`, or of the CPUs that are online.  Each CPU that comes later gets a ring of the
	 * same size on top.
	 */
	uint64_t memory_bytes;
	/*
	 * Read these CPUs only, a list such as "0-3,8"; NULL: all.  What others emit is
	 * lost_no_ring; peat_session_opts.cpus keeps them from emitting.
	 *
	 * CPUs may go offline and come, those as well that were not there at first: the reader
	 * notices by itself when a round begins, and every now and then in a long one, and all that
	 * they wrote before is delivered.  What one emits before that, while it comes and until it
	 * is noticed, is lost_no_ring, unless it is staged.
	 */
	const char *cpus;
	/*
	 * Follow the names of tasks, so that every event has the one its task bore then
	 * (peat_event.comm).  The kernel writes a record for each fork, exit and change of a name.
	 * What happens on CPUs that are not read goes unnoticed: a name may be missing, or stale.
	 */
	bool names;
	/*
	 * Hand out the events of all CPUs merged by time, never backwards: each is held until
	 * nothing older can come, for latency_ms at most, which may not be 0.  What is held takes
	 * up to eight times the memory of the rings; beyond that events go without waiting, and so
	 * they do when a slot is held for seconds by what is no program.  An older one that comes
	 * after that is `late`.  (The kernel's own records, and raw events, have a quarter of the
	 * latency to become visible.)
	 */
	bool ordered;
	/*
	 * Leave the map's slots alone when the reader is freed: of a map that is not the caller's,
	 * somebody else may have filled them since.  The kernel empties those that were set by
	 * way of an fd when that is closed, but for a map with BPF_F_PRESERVE_ELEMS.
	 */
	bool keep_slots;
	uint8_t reserved_too;
	/*
	 * Of raw events, what the kernel is to sample along with each: PEAT_SAMPLE_IP, _CALLCHAIN,
	 * _CGROUP, _REGS_USER, _STACK_USER (8192 bytes), or-ed; it is in peat_event.record->sample.
	 */
	uint32_t sample;
	/*
	 * Of a recording, what its events are whose samples are plain bytes: words such as
	 * "EVENT=TYPE", and NULL behind the last; NULL: nothing is said.  EVENT is what the event
	 * is called there, the "peat:" of peat record's may be left out; without "EVENT=" it is the
	 * only one that can be meant.  TYPE is a struct, a union or a typedef of one, which `btf`
	 * has, a file (BTF as in /sys/kernel/btf/vmlinux, or an object's, or its debug
	 * information), or else, and for NULL, the recording.  Both are read while the reader is
	 * opened, and need not live longer.
	 *
	 * What cannot be so is an error: of a file when it is opened, of a pipe with the first
	 * sample, from peat_reader__next().  ENOENT: no such event, or type; EINVAL: the event has
	 * no bytes, a format, or a type already, or several can be meant; ENOTSUP: the recording is
	 * of the other byte order; or what is wrong with the file.
	 */
	const char *const *as;
	const char *btf;
};

/* What NULL options mean: struct peat_reader_opts opts = PEAT_READER_OPTS_INIT; */
#define PEAT_READER_OPTS_INIT                                                                      \
	{                                                                                          \
		sizeof(struct peat_reader_opts), 100, 0, 0, NULL, false, false, false, 0, 0, NULL, \
			NULL                                                                       \
	}

enum peat_event_kind {
	PEAT_EVENT_DATA,   /* a BPF program's event: `data`, `size` */
	PEAT_EVENT_LOST,   /* the kernel dropped `lost` events of this CPU about here */
	PEAT_EVENT_RECORD, /* another record of the kernel's: see `record` */
	PEAT_EVENT_TOOL,   /* in a recording, a record of perf itself: see `type`, 64 and more */
};

/*
 * Not told: in a recording, on which CPU; and, live as well, which task ran then, as the kernel has
 * no number any more for one that ends.
 */
#define PEAT_NO_CPU  UINT32_MAX
#define PEAT_NO_TASK UINT32_MAX

struct peat_recorded;

struct peat_event {
	enum peat_event_kind kind;
	uint32_t cpu;	  /* PEAT_NO_CPU: not told */
	uint64_t time_ns; /* CLOCK_MONOTONIC, of a recording the clock it has; 0 without a time */
	/* The process and thread that ran then, in the initial pid namespace; or PEAT_NO_TASK. */
	uint32_t pid, tid;
	/*
	 * Of a channel's event: see peat_channel__schema(); of a raw one: which map; of a recorded
	 * one: which event, from 0 on; of a PEAT_EVENT_TOOL: the type of the record, whose body is
	 * `data`, in the recording's byte order.
	 */
	uint32_t type;
	/*
	 * The payload, 8-byte aligned.  That of a channel's event has its exact size.  A raw one
	 * has not: the kernel stores payloads in steps of 8 bytes less 4, so 8 bytes submitted
	 * arrive as 12, and what is behind the submitted bytes is old ring memory.
	 */
	uint32_t size;
	const void *data;
	uint64_t lost; /* in raw mode with names or kinds: the kernel's own records count as well */
	const struct peat_record
		*record; /* a raw or recorded event's, or another record's; or NULL */
	/* What `data` is; NULL: not known (peat_reader__set_schema()), or nobody asked by name. */
	const struct peat_schema *schema;
	/* The task's name at time_ns; NULL: not known, or not followed (peat_reader_opts.names). */
	const char *comm;
	const char *map; /* of a raw event: the name of its map, if it has one; else NULL */
	/* Of peat_reader_opts.ordered: younger events were handed out before it. */
	bool late;
	/* What sinks have to know of the machine that a recording is of; NULL: it is this one. */
	const struct peat_recorded *recorded;
};

/*
 * A reader of a channel's events; the channel needs an object bound to it, and has to live longer
 * than the reader.  One reader at a time.  What a reader that died left in the stage is read first.
 *
 * NULL and errno as for peat_reader__new_raw(); EINVAL also for a channel without an object.
 */
PEAT_API struct peat_reader *peat_reader__new(struct peat_channel *channel,
					      const struct peat_reader_opts *opts);

/*
 * A reader of the events that BPF programs put into `map_fd`, a perf event array, by
 * bpf_perf_event_output(ctx, map, BPF_F_CURRENT_CPU, data, size): opens a ring for each CPU and
 * sets the map's slots.  map_fd stays the caller's, and has to stay open as long as the reader:
 * the kernel empties the slots when the fd that filled them is closed.  When limits refuse the
 * memory, rings are halved until they fit, and the log says so.
 *
 * NULL and errno: EINVAL (not a perf event array; bad options), EPERM or EACCES (capabilities),
 * EMFILE, ENOMEM, ENODEV (none of the CPUs is online); the log has the remedy.
 */
PEAT_API struct peat_reader *peat_reader__new_raw(int map_fd, const struct peat_reader_opts *opts);

/*
 * The same for several maps, at most 32, whose events share one ring a CPU: they come in the order
 * in which they were written, and peat_event.type says of which map each is, counted from 0.
 */
PEAT_API struct peat_reader *peat_reader__new_maps(const int *map_fds, uint32_t count,
						   const struct peat_reader_opts *opts);

/*
 * Says what the raw events of a map are, counted from 0: peat_event.schema from then on.  It has to
 * live as long as the reader; NULL: nothing is known.  EINVAL: the reader has no such map.
 */
PEAT_API int peat_reader__set_schema(struct peat_reader *reader, uint32_t map,
				     const struct peat_schema *schema);

/*
 * A reader of opts->kinds alone: no map, no BPF program.  NULL and errno likewise; EINVAL also for
 * no kind at all, and for one that this kernel does not have, which the log names.
 */
PEAT_API struct peat_reader *peat_reader__new_kinds(const struct peat_reader_opts *opts);

/*
 * A reader of a recording: any perf.data, whoever wrote it (see recording.h for what that means);
 * "-" is standard input.  Its samples are PEAT_EVENT_DATA: each has the fields of its tracepoint's
 * format or of the BTF in the recording, or its raw bytes, and in `record` all that was sampled.
 *
 *	struct peat_reader *reader = peat_reader__open("perf.data", NULL);
 *
 *	while (peat_reader__wait(reader, -1) >= 0)
 *		while (peat_reader__next(reader, &event) > 0)
 *			use(event);
 *
 * Of opts these count: `kinds`, those of recordings too; `names`; `as` and `btf`; `cpus`, events
 * without a CPU pass; `ordered`, by the rounds that perf wrote, as perf does it; and memory_bytes:
 * what ordering may hold, 0: 24 MiB.  What nobody knows the time of goes at once.
 *
 * peat_reader__wait() returns -ENODATA when all was handed out; -EBADMSG when all was that is
 * whole, as the recording is cut or damaged, and the log has said where.
 *
 * NULL and errno: that of open(), EBADMSG (no perf.data), EINVAL (options), ENOMEM, and what
 * peat_reader_opts.as may fail with; the log tells.
 */
PEAT_API struct peat_reader *peat_reader__open(const char *path,
					       const struct peat_reader_opts *opts);

/*
 * What the samples of a recording's i-th event are (peat_event.type), as far as its events are
 * known by now: those of a file at once, those of a pipe when they come.  NULL: there is none, or
 * it is no recording.  Lent as long as the reader.
 */
PEAT_API const struct peat_schema *peat_reader__type(struct peat_reader *reader, uint32_t i);

/* Frees the reader, its rings and (but for keep_slots) its slots of the map; takes NULL. */
PEAT_API void peat_reader__free(struct peat_reader *reader);

/* Readable when there is something to do; watch it for input, read nothing from it. */
PEAT_API int peat_reader__fd(const struct peat_reader *reader);

/*
 * Waits until there may be events: 1; 0 when timeout_ms (-1: none) has passed.  -EINTR after a
 * signal handler ran, -ECANCELED after peat_reader__break(); of a recording also -ENODATA and
 * -EBADMSG, its ends, and what reading it failed with.
 */
PEAT_API int peat_reader__wait(struct peat_reader *reader, int timeout_ms);

/*
 * 1 and the next event; 0 when this round is done: the events are those that were in the rings
 * when it began, so that rings which fill as fast as they are read cannot keep the caller from
 * its other work.  The event and all it points to stay valid until the next call on this reader.
 * Of a recording, which may have any size, a round is some thousand records; a negative errno: it
 * cannot be read on, as the log says.
 *
 * Order: of a channel, events of one CPU that no other program's interrupted come as they were
 * submitted; those of programs that interrupt each other go different ways (streams, frame.h), each
 * in order.  In raw mode all of a CPU is in order.  Rings take turns, each 1/8 of its size at a
 * time.  With peat_reader_opts.ordered all is in order, and the events are those that may go; one
 * without a time goes at once.
 */
PEAT_API int peat_reader__next(struct peat_reader *reader, const struct peat_event **event);

/*
 * Makes the next round collect all that is staged or held, however young, and give slots back that
 * programs left without submitting.  To be called after the programs were detached: the round that
 * follows has the last of their events, and ordering holds none of them.  Of a recording: all that
 * was read and waits for its turn, and no more.
 */
PEAT_API void peat_reader__flush(struct peat_reader *reader);

/*
 * For programs that go on when the reader ends: nothing is written to its rings any more, so that
 * what is there can be read to its end, the next round having all of it.  What programs emit from
 * then on is lost, and counted, until the reader is freed; unless another one filled the slots.
 */
PEAT_API void peat_reader__pause(struct peat_reader *reader);

/*
 * Makes the present or the next peat_reader__wait() return -ECANCELED, once.  The one call that
 * other threads and signal handlers may make.
 */
PEAT_API void peat_reader__break(const struct peat_reader *reader);

struct peat_reader_stats {
	size_t sz;	      /* sizeof(struct peat_reader_stats), set by the caller */
	uint64_t events;      /* PEAT_EVENT_DATA handed out */
	uint64_t event_bytes; /* of their payloads */
	uint64_t records;     /* read, of whatever type */
	uint64_t unknown;     /* of a type that this version does not know: skipped */
	uint64_t corrupt;     /* records, or pieces of a ring, that made no sense: skipped */
	/*
	 * Events that were lost: of a channel all kinds together, as peat_reader__ledger() has them
	 * one by one.  In raw mode those that found no room in their ring; with lost_is_exact this
	 * is PERF_FORMAT_LOST, right at any moment (Linux 6.0; stable kernels from 5.10.223).
	 * Without it, it is what LOST records told so far: the kernel writes one when there is room
	 * again, so what was dropped last is not in it.
	 */
	uint64_t lost;
	uint64_t lost_records; /* as told by PERF_RECORD_LOST, for comparison: never add the two */
	uint64_t lost_samples; /* as told by PERF_RECORD_LOST_SAMPLES, likewise */
	uint64_t rounds;       /* looks at all rings */
	uint64_t ring_bytes;   /* of each ring */
	uint64_t watermark_bytes;
	uint32_t rings;
	uint8_t lost_is_exact;
	uint8_t reserved[3];
	/*
	 * Of names and kinds: records of the kernel's own that found no room in their ring.  If
	 * they told of tasks, names may be stale.  0 where the kernel does not count them:
	 * lost_is_exact.
	 */
	uint64_t side_band_lost;
	uint64_t late; /* events, of whatever kind, that were handed out as such */
	/*
	 * Of ordered events, those that went before their time, as more was held than fits into the
	 * memory: whence others are late.
	 */
	uint64_t hurried;
};

/*
 * What to add to the times of events for the time of day, in nanoseconds.  0, or -ENODATA: a
 * recording that does not tell, or has not yet.
 */
PEAT_API int peat_reader__wall_clock(const struct peat_reader *reader, int64_t *offset_ns);

/*
 * How many raw events of one map the kernel lost, counted from 0.  0 or a negative errno; ENOTSUP:
 * this kernel does not tell (Linux 5.19 and older).
 */
PEAT_API int peat_reader__map_lost(const struct peat_reader *reader, uint32_t map, uint64_t *lost);

/* Fills `stats` up to stats->sz. 0 or a negative errno. */
PEAT_API int peat_reader__stats(const struct peat_reader *reader, struct peat_reader_stats *stats);

#define PEAT_ALL_CPUS UINT32_MAX

/*
 * The ledger of one CPU of a channel, or of all together, since the reader was opened; filled up to
 * ledger->sz.  0 or a negative errno: ENOTSUP in raw mode, EINVAL for a CPU that cannot be.
 */
PEAT_API int peat_reader__ledger(const struct peat_reader *reader, uint32_t cpu,
				 struct peat_ledger *ledger);

PEAT_END_DECLS

#endif /* PEAT_READER_H */
