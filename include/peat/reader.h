/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * reader.h: pulls events out of the perf rings of a BPF_MAP_TYPE_PERF_EVENT_ARRAY: the events
 * of a channel, or the raw samples of programs that know nothing of peat.
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

struct peat_identity;
struct peat_reader;
struct peat_table;
struct peat_where;

/*
 * Records that the kernel writes by itself, no BPF program needed.  As events they have the kind
 * PEAT_EVENT_RECORD, with `record`, and with `data` and `schema` like any other.
 */
enum peat_side_band {
	PEAT_SIDE_BAND_TASK = 1 << 0,	    /* fork, exit */
	PEAT_SIDE_BAND_COMM = 1 << 1,	    /* changes of a task's name, by exec or by itself */
	PEAT_SIDE_BAND_MMAP = 1 << 2,	    /* files and memory mapped */
	PEAT_SIDE_BAND_SWITCH = 1 << 3,	    /* context switches */
	PEAT_SIDE_BAND_NAMESPACES = 1 << 4, /* a task entered other namespaces */
	PEAT_SIDE_BAND_CGROUP = 1 << 5,	    /* cgroups made */
	PEAT_SIDE_BAND_KSYMBOL = 1 << 6,    /* kernel symbols that come and go: of BPF, of ftrace */
	PEAT_SIDE_BAND_BPF = 1 << 7,	    /* BPF programs loaded and unloaded */
	PEAT_SIDE_BAND_TEXTPOKE = 1 << 8,   /* changes of the kernel's code */
	/* For recordings only: */
	PEAT_SIDE_BAND_OTHER = 1 << 9, /* all other records of the kernel, except losses */
	PEAT_SIDE_BAND_TOOL = 1 << 10  /* records that perf itself writes: PEAT_EVENT_TOOL */
};

/* The name of a kind, such as "task"; and the kind of a name, 0: no such kind. */
PEAT_API const char *peat_side_band__name(enum peat_side_band kind);
PEAT_API uint32_t peat_side_band__find(const char *name);

/* The i-th type of events of one kind, counted from 0; NULL behind the last. */
PEAT_API const struct peat_schema *peat_side_band__schema(enum peat_side_band kind, uint32_t i);

/* Options of readers of rings: peat_reader__new() and its like. */
struct peat_reader_opts {
	size_t sz; /* sizeof(struct peat_reader_opts) */
	/*
	 * How long an event may lie in a slot or a ring before the reader reads it, in
	 * milliseconds; 0: 100.  The reader of a channel wakes up three quarters of this apart, but
	 * only while events are staged.
	 */
	uint32_t latency_ms;
	/* The kernel's own records that are wanted as events: PEAT_SIDE_BAND_*, or-ed. */
	uint32_t side_band;
	/*
	 * Memory of all rings and the channel's stage together.  0: 1 MiB per CPU, but at most 1 %
	 * of RAM and 256 MiB, for the rings alone.  The rings that are opened first share it: the
	 * rings of `cpus`, or of all CPUs that are online.  Each CPU that appears later gets a
	 * ring of the same size on top.
	 */
	uint64_t memory_bytes;
	/*
	 * Read these CPUs only, a list such as "0-3,8"; NULL: all.  Events of other CPUs are
	 * lost_no_ring; peat_session_opts.cpus keeps programs from emitting them.
	 *
	 * CPUs may go offline and return, and new ones may appear: the reader notices when a round
	 * begins, and now and then during a long one.  Events written before a CPU went offline are
	 * delivered.  Events that a CPU emits after it returned and before the reader noticed are
	 * lost_no_ring, unless they are staged.
	 */
	const char *cpus;
	/*
	 * Sample this along with each raw event: PEAT_SAMPLE_IP, _CALLCHAIN, _CGROUP, _REGS_USER,
	 * _STACK_USER (8192 bytes), or-ed; it is in peat_event.record->sample.
	 */
	uint32_t sample;
	/*
	 * Follow the names of tasks, so that every event has the name that its task had at the time
	 * (peat_event.comm).  The kernel writes a record for each fork, exit and change of a name.
	 * Changes on CPUs that are not read go unnoticed: a name may be missing, or stale.
	 *
	 * In a pid namespace, the kernel's records have other ids than the events of programs: the
	 * programs of a channel send the names instead, except of tasks named by peat_set_task().
	 */
	bool names;
	/*
	 * Merge the events of all CPUs by time: each is held until no older one can arrive, for
	 * latency_ms at most; not with `immediate`.  Held events take up to eight times the memory
	 * of the rings.  Beyond that events are returned without waiting; likewise if a slot is
	 * locked for seconds by something other than a program.  An older event that arrives after
	 * that is `late`.  (The kernel's own records, and raw events, have a quarter of the latency
	 * to become visible.)
	 */
	bool ordered;
	/*
	 * Leave the map's slots alone when the reader is freed: another reader may have filled the
	 * slots of a shared map since.  The kernel empties slots that were set through a file
	 * descriptor when that is closed, except for a map with BPF_F_PRESERVE_ELEMS.
	 */
	bool keep_slots;
	/*
	 * Wake the reader for every event, which costs the traced program some microseconds each.
	 * latency_ms has to be 0, and a channel has to be `unstaged`.
	 */
	bool immediate;
	/*
	 * Events that match are returned, or with a table counted in it instead (where.h, table.h);
	 * NULL: all events are returned.  Both apply to PEAT_EVENT_DATA, and to records of these
	 * kinds, PEAT_SIDE_BAND_*, or-ed.  They have to live as long as the reader.  The events of
	 * a channel or a session are selected by its own options: leave `where` and `table` NULL.
	 */
	uint32_t where_side_band;
	struct peat_where *where;
	struct peat_table *table;
	/*
	 * Not 0: a flight recorder.  New events overwrite the oldest ones, and
	 * peat_reader__snapshot() copies those that are left.  The value is the number of bytes
	 * that each CPU keeps, rounded up to pages times a power of two: at least four slots of the
	 * channel (32 KiB), or 256 KiB for maps, and at most 2 GiB.  Each CPU has two such rings,
	 * which a snapshot exchanges.
	 *
	 * peat_reader__next() returns no event then, but call it whenever the reader has work: it
	 * follows CPUs and names.  Nothing wakes the reader otherwise, and nothing is lost because
	 * it is slow.  memory_bytes, side_band, table, immediate and identity have to be 0,
	 * latency_ms is not used, and events need a time (no_time).
	 */
	uint64_t overwrite;
	/*
	 * Records of PEAT_SIDE_BAND_MMAP also of mappings that are not executable.  Stock perf
	 * needs them to unwind stacks that are recorded with registers and memory.
	 */
	bool data_maps;
	/*
	 * Look up the container, pod and unit of each event of a channel with `owner`
	 * (peat_event.identity).  An expression or a table that names one does so by itself.  The
	 * kernel writes a record for each new cgroup.  Not with `overwrite`.
	 */
	bool identity;
	/*
	 * Count the events of a channel from the load of its programs, not from the start of this
	 * reader: events that programs gave to earlier readers are `former` in the ledger.  The
	 * programs have to outlive their readers: peat_session__pin().
	 */
	bool since_load;
	uint8_t reserved[5]; /* 0 */
	/*
	 * The stacks that the kernel samples with each raw event, instead of the stacks of
	 * `sample`, or with each sampled event (sampling.h); kinds 0: none, except of events that
	 * have the term call-graph=.  Kernel and user addresses share a limit of
	 * kernel.perf_event_max_stack. Channels and sessions have an option of their own.
	 */
	struct peat_stack_request stacks;
	/*
	 * Sets container_name and pod_name of the identity of a cgroup with a container or a pod.
	 * Called once for each cgroup, by the thread that reads.  NULL: they stay empty.
	 */
	void (*find_names)(void *arg, struct peat_identity *identity);
	void *find_names_arg;
};

/* The defaults: all members but sz are 0.  NULL options mean the same. */
#define PEAT_READER_OPTS_INIT                                                                      \
	{                                                                                          \
		sizeof(struct peat_reader_opts), 0, 0, 0, NULL, 0, false, false, false, false, 0,  \
			NULL, NULL, 0, false, false, false, { 0 }, { 0, 0, 0, 0 }, NULL, NULL      \
	}

/* Options of readers of recordings: peat_reader__open(). */
struct peat_replay_opts {
	size_t sz; /* sizeof(struct peat_replay_opts) */
	/*
	 * Memory for the records that `ordered` holds, two rounds of them.  0: 256 MiB, or 24 MiB
	 * for a directory, which has no rounds, so that all of it is used.  Samples that wait for
	 * deferred stacks may use a quarter more.
	 */
	uint64_t memory_bytes;
	/* Events of these CPUs only, a list such as "0-3,8"; NULL: all.  Events without a CPU pass.
	 */
	const char *cpus;
	/*
	 * Types of events that were recorded as plain bytes: words such as "EVENT=TYPE", with NULL
	 * after the last; NULL: none.  EVENT is the event's name in the recording; the "peat:" of
	 * peat record's events may be left out.  Without "EVENT=" it is the only event that can be
	 * given a type.  TYPE is a struct, a union or a typedef of one, of the file `btf` (BTF as
	 * in /sys/kernel/btf/vmlinux, an object's BTF, or its debug information), or else, and for
	 * NULL, of the recording.  Both are read while the reader is opened, and need not live
	 * longer.
	 *
	 * Types that do not fit are an error: of a file from peat_reader__open(), of a pipe from
	 * peat_reader__next(), with the first sample.  ENOENT: no such event, or type; EINVAL: the
	 * event has no bytes, a format, or a type already, or several events can be meant; ENOTSUP:
	 * the recording has the other byte order; or the error of reading the file.
	 */
	const char *const *as;
	const char *btf;
	/* Other records that are wanted as events: PEAT_SIDE_BAND_*, also the kinds that only
	 * recordings have, or-ed. */
	uint32_t side_band;
	/* Follow the names of tasks, as in struct peat_reader_opts. */
	bool names;
	/*
	 * Sort the events by time, by the rounds that perf wrote, as perf does it.  Events without
	 * a timestamp are returned immediately.
	 */
	bool ordered;
	uint8_t reserved[2]; /* 0 */
	/* Events that match, and the table that counts them, as in struct peat_reader_opts. */
	uint32_t where_side_band;
	struct peat_where *where;
	struct peat_table *table;
};

/* The defaults, as with NULL: struct peat_replay_opts opts = PEAT_REPLAY_OPTS_INIT; */
#define PEAT_REPLAY_OPTS_INIT                                                                      \
	{                                                                                          \
		sizeof(struct peat_replay_opts), 0, NULL, NULL, NULL, 0, false, false, { 0 }, 0,   \
			NULL, NULL                                                                 \
	}

enum peat_event_kind {
	PEAT_EVENT_DATA,   /* a BPF program's event: `data`, `size` */
	PEAT_EVENT_LOST,   /* `lost` events of this CPU were lost about here, for `cause` */
	PEAT_EVENT_RECORD, /* another record of the kernel's: see `record` */
	PEAT_EVENT_TOOL,   /* in a recording, a record of perf itself: see `type`, 64 and more */
};

/*
 * Unknown CPU: in recordings only.  Unknown task: also in live events, since the kernel has no
 * number for a task that ends.
 */
#define PEAT_NO_CPU  UINT32_MAX
#define PEAT_NO_TASK UINT32_MAX

/* Unknown event, of a loss: in recordings only. */
#define PEAT_NO_EVENT UINT32_MAX

/* Why events were lost; the members of struct peat_ledger have the same names. */
enum peat_lost_cause {
	PEAT_LOST_UNKNOWN,   /* in a recording */
	PEAT_LOST_RING_FULL, /* also in raw mode */
	PEAT_LOST_NESTED,
	PEAT_LOST_NO_RING,
	PEAT_LOST_TOO_BIG,
	PEAT_LOST_THROTTLED,
	PEAT_LOST_ABANDONED,
	PEAT_LOST_OTHER,
	PEAT_LOST_CORRUPT
};

/* The name of a cause, such as "ring_full"; NULL: no such cause. */
PEAT_API const char *peat_lost_cause__name(enum peat_lost_cause cause);

struct peat_recorded;

struct peat_event {
	enum peat_event_kind kind;
	uint32_t cpu;	  /* or PEAT_NO_CPU */
	uint64_t time_ns; /* peat_clock__now_ns(), or the clock of the recording; 0: no timestamp */
	/* The process and thread that ran then, in the initial pid namespace; or PEAT_NO_TASK. */
	uint32_t pid, tid;
	/*
	 * For an event of a channel: its type number, see peat_channel__schema().  For a raw event:
	 * the number of its map.  For a recorded event: the number of the event in the recording,
	 * from 0.  For a recorded PEAT_EVENT_LOST: the event that lost samples, or PEAT_NO_EVENT.
	 * For PEAT_EVENT_TOOL: the type of the record; `data` is its body, in the byte order of the
	 * recording.
	 */
	uint32_t type;
	/*
	 * The payload, 8-byte aligned.  Events of a channel have their exact size.  Raw events are
	 * padded: the kernel stores payloads in steps of 8 bytes less 4, so 8 submitted bytes
	 * arrive as 12; the padding is old ring memory.
	 *
	 * Raw events with a schema: 8 bytes and more after the type are bytes that the program
	 * appended, such as a packet; sinks print them as `payload`.  Up to 7 bytes of padding may
	 * follow those, unless a number in the type, with "len", "size" or "bytes" in its name, has
	 * the size of the payload.  Fewer than 8 bytes are padding, and not part of `size`, unless
	 * there is such a number and the program is known to append bytes.
	 */
	uint32_t size;
	const void *data;
	/*
	 * PEAT_EVENT_LOST: how many.  In a channel, the events add up to the losses in the ledger
	 * once a round after peat_reader__flush() is done.  A gap between events is reported where
	 * it is, other losses when a round ends, at most ten times a second.  In raw mode losses
	 * are reported with the next event of their ring, the last ones after
	 * peat_reader__flush().
	 *
	 * In raw mode with names or a side band it includes the kernel's own
	 * records.  A recording may report a loss twice: when it was noticed, by LOST, and per
	 * event at the end, by LOST_SAMPLES.  Add up the losses of one record->type only;
	 * peat_reader__stats() returns the larger sum.
	 */
	uint64_t lost;
	enum peat_lost_cause cause; /* PEAT_EVENT_LOST */
	const struct peat_record
		*record; /* the record of a raw, recorded or kernel event; or NULL */
	/* The type of `data`; NULL: unknown (peat_reader__set_schema()), or a kind not requested.
	 */
	const struct peat_schema *schema;
	/* The task's name at time_ns; NULL: unknown, or not followed (peat_reader_opts.names). */
	const char *comm;
	const char *map; /* raw event: the name of its map, if it has one; otherwise NULL */
	/* With peat_reader_opts.ordered: newer events were returned before this one. */
	bool late;
	/* For sinks: the machine of the recording; NULL: this machine. */
	const struct peat_recorded *recorded;
	/*
	 * Whether `uid` and `cgroup` are set, to the real user id and the cgroup (v2) of the task.
	 * Programs of a channel send them if its expression or its table names one that the type
	 * has no field for, or `owner` of its options is set.
	 */
	bool has_owner;
	uint32_t uid;	 /* in the initial user namespace */
	uint64_t cgroup; /* the id: the inode of its directory */
	/*
	 * The container, pod and unit of that cgroup, also if it was removed since; NULL: not
	 * requested (peat_reader_opts.identity), or no `has_owner`.  In a recording, those of the
	 * cgroup that was sampled; NULL: none was, or its path is not recorded.
	 */
	const struct peat_identity *identity;
	/*
	 * `pid` and `tid` in the task's own pid namespace, as in the container that it runs in; 0:
	 * unknown, or not requested.  They need a channel, `identity` and `names` of
	 * peat_reader_opts, and a process in the initial pid namespace.  A BPF program notes
	 * them, of 65,536 tasks; without kernel BTF, tasks that end early have none.
	 */
	uint32_t nspid, nstid;
};

/*
 * Makes a reader of a channel's events.  The channel needs a bound object, and has to outlive the
 * reader.  A channel has one reader at a time.  Events that a killed reader left in the stage are
 * read first.
 *
 * NULL and errno as for peat_reader__new_raw(); EINVAL also for a channel without an object; EBUSY
 * for a channel that has a reader, also one that the parent made before fork(); ENOENT if this
 * machine lacks the event of a PEAT_COUNTER() that is not optional.
 */
PEAT_API struct peat_reader *peat_reader__new(struct peat_channel *channel,
					      const struct peat_reader_opts *opts);

/*
 * Makes a reader of the events that BPF programs write to `map_fd`, a perf event array, by
 * bpf_perf_event_output(ctx, map, BPF_F_CURRENT_CPU, data, size).  It opens a ring for each CPU and
 * sets the map's slots.  map_fd stays the caller's, and has to stay open as long as the reader: the
 * kernel empties the slots when the fd that set them is closed.  If limits refuse the memory, rings
 * are halved until they fit, and the log reports it.
 *
 * NULL and errno, with the remedy in the log:
 *	EINVAL		not a perf event array, or wrong options
 *	EPERM, EACCES	missing capabilities
 *	ENODEV		none of the CPUs is online
 *	EMFILE, ENOMEM
 */
PEAT_API struct peat_reader *peat_reader__new_raw(int map_fd, const struct peat_reader_opts *opts);

/*
 * The same for several maps, at most 32.  Their events share one ring per CPU and are returned in
 * the order in which they were written.  peat_event.type is the number of the map, from 0.
 */
PEAT_API struct peat_reader *peat_reader__new_maps(const int *map_fds, uint32_t count,
						   const struct peat_reader_opts *opts);

/*
 * Sets the type of the raw events of map number `map`, from 0: peat_event.schema from now on; NULL:
 * unknown.  The schema has to live as long as the reader.
 *
 * 0, or -EINVAL: the reader has no such map.
 */
PEAT_API int peat_reader__set_schema(struct peat_reader *reader, uint32_t map,
				     const struct peat_schema *schema);

/*
 * Makes a reader of opts->side_band only, without a map or a BPF program.  NULL and errno as above;
 * EINVAL also without any kind, and for a kind that this kernel lacks, which the log names.
 */
PEAT_API struct peat_reader *peat_reader__new_side_band(const struct peat_reader_opts *opts);

/*
 * Makes a reader of a recording: any perf.data (see recording.h); "-" is standard input.  Samples
 * are PEAT_EVENT_DATA.  Events that peat recorded have the type and the data that they had then, by
 * the BTF in the recording.  Others have the fields of their tracepoint's format or of the BTF, or
 * raw bytes; `record` has all sampled data.  Link with libpeat-data (data.h).
 *
 *	struct peat_reader *reader = peat_reader__open("perf.data", NULL);
 *
 *	while (peat_reader__wait(reader, -1) >= 0)
 *		while (peat_reader__next(reader, &event) > 0)
 *			use(event);
 *
 * Recordings of pipes may follow each other in a file or a pipe: times, names and ids begin anew,
 * and events that have equal types in both are one event.
 *
 * After the last event, peat_reader__wait() returns -ENODATA.  If the recording is cut or damaged,
 * it returns -EBADMSG after the last complete record, and the log has the place.
 *
 * NULL and errno, with the reason in the log: the errno of open(), EBADMSG (not a perf.data),
 * EINVAL (options; or no type has a field of where or table, as peat_reader__resolve() finds),
 * ENOMEM, and the errors of peat_replay_opts.as.
 */
PEAT_API struct peat_reader *peat_reader__open(const char *path,
					       const struct peat_replay_opts *opts);

/*
 * Returns the type of the samples of event `i` (peat_event.type) of a recording.  The events of a
 * file are known at once, the events of a pipe when they arrive.  NULL: no such event, or not a
 * recording.  Valid as long as the reader.
 */
PEAT_API const struct peat_schema *peat_reader__type(struct peat_reader *reader, uint32_t i);

/* A type of a reader's events. */
struct peat_type {
	size_t sz;			  /* sizeof(struct peat_type), set by the caller */
	const char *name;		  /* as sinks print it; valid until the next call */
	const struct peat_schema *schema; /* NULL: the events are bytes */
	uint32_t number;		  /* peat_event.type */
	uint32_t reserved;
};

/*
 * Returns 1 and type `i`, from 0, of the events that the reader may return as PEAT_EVENT_DATA; 0
 * after the last one; or a negative errno.  The types of a recording that is a pipe arrive with it.
 */
PEAT_API int peat_reader__type_at(struct peat_reader *reader, uint32_t i, struct peat_type *type);

/*
 * Resolves an expression, a table or both (where.h, table.h; NULL: none) for all types of the
 * reader's events and for records of these kinds (PEAT_SIDE_BAND_*, or-ed), and checks them.
 *
 *	0	each field is in one of the types, or the reader has no types yet: a pipe, in which
 *		fields of peat_replay_opts are checked at its end
 *	-EINVAL	no type has one of the fields, or a value or field does not fit; see the log
 *	-ENOMEM
 */
PEAT_API int peat_reader__resolve(struct peat_reader *reader, struct peat_where *where,
				  struct peat_table *table, uint32_t side_band);

/*
 * Stores the number of the type `name` in `*number`, to be compared with peat_event.type:
 *
 *	peat_reader__find_type(reader, "exec", &exec);
 *	...
 *	if (event->kind == PEAT_EVENT_DATA && event->type == exec)
 *
 *	0	found
 *	-ENOENT	no type has this name, or none so far in a recording that is a pipe
 *	-EINVAL	several types have it, of several objects: see peat_reader__type_at()
 */
PEAT_API int peat_reader__find_type(struct peat_reader *reader, const char *name, uint32_t *number);

/* Frees the reader, its rings and (without keep_slots) its slots of the map.  Accepts NULL. */
PEAT_API void peat_reader__free(struct peat_reader *reader);

/*
 * Returns an fd for epoll: readable when the reader has work.  Do not read from it.  Call
 * peat_reader__next() until it returns 0 after the fd was added to an epoll, and whenever it is
 * readable: while nothing is staged the reader sleeps without a tick, and a wakeup that was
 * consumed is not repeated.
 */
PEAT_API int peat_reader__fd(const struct peat_reader *reader);

/*
 * Waits for events.
 *
 *	1		there may be events
 *	0		timeout_ms milliseconds have passed (-1: wait without limit)
 *	-EINTR		a signal handler ran
 *	-ECANCELED	peat_reader__break() was called
 *	-ENODATA	the end of a recording
 *	-EBADMSG	the end of a recording that is cut or damaged
 *	another negative errno: a recording could not be read
 */
PEAT_API int peat_reader__wait(struct peat_reader *reader, int timeout_ms);

/*
 * Returns the next event.  The event and everything it points to are valid until the next call on
 * this reader.
 *
 *	1	*event is set
 *	0	the round is done
 *	-ENOMEM	there was no memory to count an event in peat_reader_opts.table: the next call
 *		counts it
 *	-EINVAL	the end of a pipe in which no type has a field of `where` or `table`, as
 *		peat_reader__resolve() finds
 *	another negative errno: the recording cannot be read further; the log has the reason
 *
 * A round has the events that were in the rings when it began.  So rings that fill as fast as they
 * are read cannot keep the caller from other work.  In a recording, a round is some thousand
 * records.
 *
 * Order.  In a channel, events of one CPU are returned as they were submitted, except that programs
 * that interrupt each other have separate streams (frame.h), each in order.  In raw mode all events
 * of a CPU are in order.  Rings take turns, 1/8 of the size of a ring at a time.  With
 * peat_reader_opts.ordered all events are in order, and a round has the events that need not be
 * held any longer; events without a timestamp are returned immediately.
 */
PEAT_API int peat_reader__next(struct peat_reader *reader, const struct peat_event **event);

/*
 * Makes the next round return all events that are staged or held, and reclaim slots that programs
 * locked and did not submit.  Call it after the programs were detached: the next round has all
 * their remaining events.  Within a round of rings, that is the present round, which does not end
 * before.  That round goes on until the programs that run have ended, and returns
 * what arrives meanwhile.  For a recording, the next round returns all held records, and reads no
 * further.  For a reader that overwrites, the next round counts all events that no snapshot has as
 * overwritten: take the last snapshot before that round.
 */
PEAT_API void peat_reader__flush(struct peat_reader *reader);

/*
 * Stops writing to the rings, for programs that continue after the reader: the next round has all
 * remaining events.  Events that programs emit from then on are lost, and counted, until the reader
 * is freed, unless another reader has set the slots.
 */
PEAT_API void peat_reader__pause(struct peat_reader *reader);

/*
 * Makes the current or the next peat_reader__wait() return -ECANCELED, once.  Other threads and
 * signal handlers may call it.  Other threads may also call peat_reader__counts().
 */
PEAT_API void peat_reader__break(const struct peat_reader *reader);

struct peat_reader_stats {
	size_t sz;	      /* sizeof(struct peat_reader_stats), set by the caller */
	uint64_t events;      /* PEAT_EVENT_DATA returned */
	uint64_t event_bytes; /* size of their payloads */
	uint64_t records;     /* records read, of any type */
	uint64_t unknown;     /* records of unknown type: skipped */
	uint64_t corrupt;     /* invalid records, or pieces of a ring: skipped */
	/*
	 * Lost events.  In a channel, the sum of all kinds, without those overwritten as requested;
	 * peat_reader__ledger() has each kind.
	 * In raw mode, events without room in their ring.  With lost_is_exact this is
	 * PERF_FORMAT_LOST, correct at any moment (Linux 6.0; stable kernels from 5.10.223).
	 * Without, it is the sum of LOST records so far: the kernel writes one when there is room
	 * again, so the last losses are missing.
	 */
	uint64_t lost;
	uint64_t lost_records; /* sum of PERF_RECORD_LOST, for comparison: never add the two */
	uint64_t lost_samples; /* sum of PERF_RECORD_LOST_SAMPLES, likewise */
	uint64_t rounds;       /* drains of all rings */
	uint64_t ring_bytes;   /* size of each ring */
	uint64_t watermark_bytes;
	uint32_t rings;
	uint8_t lost_is_exact;
	uint8_t skipped_is_known; /* `skipped` has the runs of all programs */
	uint8_t reserved[2];
	/*
	 * With names or a side band: kernel records without room in their ring.  Names may be stale
	 * or missing then.  A reader that overwrites has a ring of its own for these records. 0 if
	 * the kernel does not count them: lost_is_exact.
	 */
	uint64_t side_band_lost;
	uint64_t late; /* events of any kind returned as `late` */
	/*
	 * With ordering: events returned early, because held events exceeded the memory.  They
	 * cause others to be late.
	 */
	uint64_t hurried;
	/*
	 * PEAT_EVENT_DATA that were not returned: they do not match opts.where, or were counted in
	 * opts.table.  With those that programs did not write for the same reasons.
	 */
	uint64_t filtered, counted;
	/*
	 * Times that the kernel stopped a sampled event (sampling.h) for a while, because it took
	 * too many samples: the frequency is too high.
	 */
	uint64_t throttled;
	/*
	 * Samples of an ordered recording without the user part of their stack: the kernel deferred
	 * it (Linux 6.19), and its record is missing or too far behind.
	 */
	uint64_t stacks_missing;
	/*
	 * Runs of the programs that the kernel skipped since the reader was opened
	 * (bpf_prog_info.recursion_misses).  The kernel skips a run of a program that is running
	 * on that CPU already: its task was preempted inside the program, or the program caused
	 * itself.  Programs of kprobes and tracepoints (tp) are skipped while any of these runs;
	 * they are not preempted, except programs of tp/syscalls (Linux 7.2).
	 *
	 * A skipped run emits nothing.  It would have emitted no event, one or several, so it is
	 * neither in `lost` nor in the equation of the ledger.
	 *
	 * The kernel counts skipped runs of fentry, fexit and fmod_ret since Linux 5.12 (before, it
	 * skips none), of raw_tp and tp_btf since 6.1 (likewise), and of kprobes and tp since 6.7
	 * (before, they are skipped and not counted).  Other programs are not skipped so, except
	 * programs of perf events, which are never counted.
	 *
	 * 0 without skipped_is_known: Linux 5.11 and older; peat_reader__new_raw() and its like,
	 * which know no program; programs of others without CAP_SYS_ADMIN.
	 */
	uint64_t skipped;
	/*
	 * Bytes of a recording: those read so far, and all.  all_bytes is 0 if it is unknown, as in
	 * a pipe; a file that is still written may become larger.  Both are 0 for live events.
	 */
	uint64_t read_bytes, all_bytes;
};

/*
 * Stores the time of day minus the clock of the events, in nanoseconds, in `offset_ns`.  0, or
 * -ENODATA: the recording does not have it, or not yet.
 */
PEAT_API int peat_reader__wall_clock(const struct peat_reader *reader, int64_t *offset_ns);

/*
 * Returns the time by the clock of live events, in nanoseconds: CLOCK_MONOTONIC of the initial time
 * namespace.  In another time namespace, clock_gettime() adds an offset that events do not have.
 */
PEAT_API uint64_t peat_clock__now_ns(void);

/*
 * Stores the number of raw events that the kernel lost of map number `map`, from 0.  0 or a
 * negative errno; -ENOTSUP: this kernel does not count them (Linux 5.19 and older).
 */
PEAT_API int peat_reader__map_lost(const struct peat_reader *reader, uint32_t map, uint64_t *lost);

/* Fills `stats` up to stats->sz. 0 or a negative errno. */
PEAT_API int peat_reader__stats(const struct peat_reader *reader, struct peat_reader_stats *stats);

#define PEAT_ALL_CPUS UINT32_MAX

/*
 * Stores the ledger of one CPU of a channel, or the sum of all CPUs, since the reader was opened.
 * Fills it up to ledger->sz.
 *
 *	0		done
 *	-ENOTSUP	raw mode
 *	-EINVAL		no such CPU
 */
PEAT_API int peat_reader__ledger(const struct peat_reader *reader, uint32_t cpu,
				 struct peat_ledger *ledger);

/*
 * Fills `stats` and `ledger` like the two functions above, from any thread, while another thread
 * uses the reader; either may be NULL.  The reader's own counts, such as `delivered`, are from
 * the end of its last round, the counts of the programs from this moment.  So the ledger's
 * in_ring includes the events of the present round.  After the last round, all counts are final.
 *
 * The reader must not be freed during the call.  It may wait for the call for a moment, at the end
 * of a round.
 *
 *	0		done
 *	-ENOTSUP	`ledger` of a reader in raw mode, or of a recording
 *	-EINVAL		no such CPU
 */
PEAT_API int peat_reader__counts(struct peat_reader *reader, uint32_t cpu,
				 struct peat_reader_stats *stats, struct peat_ledger *ledger);

/* ---- flight recorder --------------------------------------------------------------------------
 */

/* Options of peat_reader__snapshot(). */
struct peat_snapshot_opts {
	size_t sz; /* sizeof(struct peat_snapshot_opts) */
	/* Only events of this many nanoseconds before the call, and newer ones; 0: all. */
	uint64_t last_ns;
	/* Only the newest records of each CPU that fit into so many bytes; 0: all. */
	uint64_t bytes;
};

#define PEAT_SNAPSHOT_OPTS_INIT                                                                    \
	{                                                                                          \
		sizeof(struct peat_snapshot_opts), 0, 0                                            \
	}

/*
 * Copies the events that a reader with peat_reader_opts.overwrite keeps, and returns a reader of
 * them, in the order of time.  Programs are not paused, and lose nothing meanwhile: they write into
 * each CPU's second ring from the call on.  Events that are staged when the function is called are
 * in the snapshot, unless their program still runs.  It takes some milliseconds, mostly a grace
 * period for the programs that run, and seconds if one of them is preempted so long.
 *
 * A CPU whose second ring cannot be opened, or not be stored in the maps, is not in the snapshot,
 * which is logged; its ring goes on.
 *
 * An event is in one snapshot at most: those that are in a snapshot, and those that its options
 * leave out, are not in the next one.
 *
 * Another thread may read the snapshot, so that writing it slowly delays no record of a task: this
 * thread may meanwhile call peat_reader__wait() and peat_reader__next() of `reader`, and no other
 * function.  If records of tasks were lost, the names of tasks that still run are read from /proc.
 *
 * The snapshot has the names of tasks, filters and types of `reader`, and may be freed before or
 * after it; but a channel, schemas and opts.where have to outlive both.  It is read like a
 * recording: peat_reader__wait() returns -ENODATA after the last event.  Losses since the last
 * snapshot are returned after the events.  Its ledger is for the time since the last snapshot
 * (or since the reader was opened): events that were delivered, overwritten or lost in it.  The
 * ledger of `reader` counts the events of snapshots as delivered.
 *
 * NULL and errno: EINVAL (the reader does not overwrite, or options), ENOMEM: the events count as
 * overwritten; or another error of the kernel, which is logged.
 */
PEAT_API struct peat_reader *peat_reader__snapshot(struct peat_reader *reader,
						   const struct peat_snapshot_opts *opts);

/* How a snapshot was made. */
struct peat_snapshot_info {
	size_t sz;	  /* sizeof(struct peat_snapshot_info), set by the caller */
	uint64_t time_ns; /* time of the call, CLOCK_MONOTONIC */
	uint64_t swap_ns; /* until all CPUs wrote into their other ring */
	uint64_t copy_ns; /* until everything was copied */
	uint64_t events;  /* in the snapshot, before opts.where */
	uint64_t bytes;	  /* size of their records and frames */
	/* Times of the oldest and the newest event; 0: no events. */
	uint64_t first_ns, last_ns;
	/* Length of the records since the last snapshot that are not in this one. */
	uint64_t overwritten_bytes;
};

/* Fills `info` up to info->sz.  0, or -EINVAL: the reader is not a snapshot. */
PEAT_API int peat_snapshot__info(const struct peat_reader *snapshot,
				 struct peat_snapshot_info *info);

/*
 * For a snapshot that could not be written to its end: only the first `events` PEAT_EVENT_DATA that
 * it returned were kept.  The ledger of `reader`, which made it, counts all events after those as
 * overwritten, not as delivered.  Without a ledger, in raw mode, nothing changes.  The snapshot
 * returns no further event: free it.
 *
 *	0		done
 *	-EINVAL		`snapshot` is no snapshot, or `reader` does not overwrite
 */
PEAT_API int peat_snapshot__keep(struct peat_reader *snapshot, struct peat_reader *reader,
				 uint64_t events);

PEAT_END_DECLS

#endif /* PEAT_READER_H */
