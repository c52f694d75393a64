/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * session.h: loads BPF objects, attaches their programs and reads their events, in one object.
 * Programs with a skeleton and an event loop of their own use channel.h and reader.h instead.
 *
 *	peat_session__new()	filters
 *	peat_session__add()	an object, or several, or functions (functions.h); then
 *				peat_session__set_text() for options, peat_session__set_variable()
 *				for other variables
 *	peat_session__start()	loads the objects, opens the reader, attaches every program; from
 *				then on, peat_session__read_number(), peat_session__variable() and
 *				peat_session__set_variable() use the variables of the programs
 *	peat_session__wait()	then peat_session__drain(), or peat_reader__next() of its reader
 *	peat_session__stop()	detaches; events emitted before can still be read
 *	peat_session__free()
 *
 * One thread per session.
 */
#ifndef PEAT_SESSION_H
#define PEAT_SESSION_H

#include <peat/common.h>
#include <peat/reader.h>
#include <peat/sink.h>
#include <peat/table.h>

PEAT_BEGIN_DECLS

struct bpf_map; /* libbpf's */
struct peat_session;
struct peat_table;
struct peat_where;

/* Filters: the BPF programs test them before they reserve an event. */
struct peat_session_opts {
	size_t sz;	  /* sizeof(struct peat_session_opts) */
	uint32_t pid;	  /* process id, in the initial pid namespace (in another: warns); 0: all */
	uint32_t tid;	  /* thread id, likewise */
	uint32_t uid;	  /* user id of the task, ... */
	bool by_uid;	  /* ... used if this is set, since 0 is a user too */
	bool measure;	  /* let the kernel measure the programs: peat_session__program() */
	bool best_effort; /* skip programs and maps that fail to load or to attach */
	bool steal;	  /* use maps pinned by other programs: peat_session__start() */
	const char *comm; /* name of the task, at most 15 bytes; NULL: all */
	const char *cpus; /* CPUs, a list such as "0-3,8"; NULL: all */
	/*
	 * Path of a cgroup (v2), with those below it; NULL: all.  Programs of cgroups (cgroup_skb,
	 * cgroup/connect4, sockops, ...) are attached to it, and need it.  An object with such
	 * programs is not filtered otherwise: its other programs see all tasks.
	 */
	const char *cgroup;
	const struct peat_channel_opts *channel; /* without where, table, stacks; NULL: defaults */
	/*
	 * Network interfaces for programs of tc and XDP, "eth0,lo"; NULL: none, and such programs
	 * cannot be attached.  A section "tc/ingress" or "tc/egress" selects a direction, "tc"
	 * selects both.
	 */
	const char *interfaces;
	/*
	 * BTF of the running kernel, in which CO-RE finds its types: a file, or a directory with
	 * RELEASE.btf (uname -r) or BUILD-ID.btf.  Kernels without BTF need it: tp_btf programs
	 * then are attached as raw_tp.  NULL: the kernel's own, or its vmlinux file's.
	 */
	const char *btf;
	/*
	 * Events that match, and the table that counts them (where.h, table.h); NULL: all events
	 * are returned.  Programs that include peat.bpf.h test and count as much as they can, the
	 * session's reader the rest.  Both have to live as long as the session.
	 */
	struct peat_where *where;
	struct peat_table *table;
	/*
	 * The stacks of events that have PEAT_STACKS (peat.bpf.h), as in peat_channel_opts, and of
	 * raw and sampled events, as in peat_reader_opts.
	 */
	struct peat_stack_request stacks;
	/*
	 * A child of the calling thread, as fork() returned its id, which has no children yet; 0:
	 * all processes.  Only its events and those of its descendants are returned: of processes
	 * that it starts, that these start, and so on, also after a parent has ended.  Objects that
	 * do not include peat.bpf.h, maps of other programs, and the kernel records of
	 * peat_reader_opts.where_side_band are filtered by the reader, all others by the programs.
	 * Not filtered: packets, which have no task (tc, XDP, cgroup_skb), perf events of
	 * peat_session__add_events(), and, with a warning, objects that have programs for packets
	 * and for tasks, or were compiled with a peat.bpf.h before 0.3.
	 */
	uint32_t ancestor;
	uint32_t reserved; /* 0 */
};

/*
 * Makes a session.  From this call on, libbpf's messages go to the function set by
 * peat_set_print(): its warnings, including the verifier's log, as INFO, the others as DEBUG.
 *
 * NULL and errno on failure: EINVAL, ENOMEM, or ENODEV: one of opts->cpus does not exist, or none
 * is online; ESRCH: opts->pid or opts->tid does not exist; ENOENT: opts->btf does not exist or has
 * no file for this kernel, EBADMSG: it is no BTF, or another error of reading it.  Here and below,
 * the log has the reason.  The cgroup is looked up by peat_session__add(), the interfaces by
 * peat_session__start().
 */
PEAT_API struct peat_session *peat_session__new(const struct peat_session_opts *opts);

/*
 * Adds a compiled BPF object: `bytes` bytes at `object`, 8-byte aligned, needed during the call
 * only.  Messages call it `name`, which may be the path of its file.
 *
 * All objects that include peat.bpf.h share one channel.  Other objects are read raw: all their
 * perf event arrays together, at most 32, over one ring per CPU; filters do not work for them.  A
 * session cannot have objects of both kinds.
 *
 * Maps in a section `maps`, which libbpf 1.0 and newer refuse, are replaced by maps of BTF.
 *
 * 0 or a negative errno; -EINVAL also for a value in opts->where that does not fit its field.
 * Fields that no type has are an error of peat_session__start().
 */
PEAT_API int peat_session__add(struct peat_session *session, const char *name, const void *object,
			       size_t bytes);

/* Adds a compiled BPF object from a file. */
PEAT_API int peat_session__add_file(struct peat_session *session, const char *path);

/*
 * Adds one of peat's own probes by its name: "exec".  Its object is NAME.bpf.o in the directory of
 * the environment variable PEAT_PROBES, which programs with file capabilities or setuid ignore;
 * without it, in share/peat/probes beside the lib directory of libpeat.so, of /usr/local, or of
 * /usr.  peat_session__set_variable() sets a probe's options.
 *
 * 0 or a negative errno, as peat_session__add_file(); -ENOENT: no such probe is installed.
 */
PEAT_API int peat_session__add_probe(struct peat_session *session, const char *name);

/*
 * Adds a perf event array that another program made (map.h), to be read raw.  A session can have up
 * to 32 such maps, but no objects beside them.  The filter peat_reader_opts.cpus works; others do
 * not, since they are part of the programs.
 *
 * The session leaves the map's slots set when it ends, because another reader may have set them
 * meanwhile.  The kernel empties them when all fds of this file are closed, unless the map has
 * BPF_F_PRESERVE_ELEMS.  map_fd stays the caller's.
 *
 * Its events have the type that peat_session__pin() pinned with it, or the one set by
 * peat_session__name_events(): a struct that is pinned with it, or in the BTF of programs that use
 * it, which needs CAP_SYS_ADMIN.
 *
 * The ring of a channel, whose programs include peat.bpf.h, is read as a channel: its types are
 * taken from the kernel's BTF of the programs.  It has to be the session's only map.
 *
 *	0	added
 *	-EEXIST	the session has this map already, perhaps by another fd
 *	-EBUSY	the ring of a channel that another process, or session of this process, is reading
 *	another negative errno
 */
PEAT_API int peat_session__add_map(struct peat_session *session, int map_fd);

/*
 * Lets the programs outlive the session.  `path` is a directory on a bpf file system;
 * peat_session__start() makes it, and pins each perf event array as `map-NAME`, the type of its
 * events as `type-NAME` (for objects without peat.bpf.h), and each attached program as `link-N` in
 * it.  Another reader continues with peat_map__open() and peat_session__add_map().  Removing the
 * directory ends the programs, those of a running session by peat_session__stop().
 *
 * The rings belong to the reader and are gone with it.  Call peat_session__stop() and then
 * peat_session__drain() to read all events emitted before.
 *
 * Events emitted while there is no reader:
 * - in a channel: staged while slots have room, and delivered to the next reader.  The rest is lost
 *   and in the ledger of the next reader, as lost_no_ring, and for a moment lost_ring_full.
 * - in other maps: lost.  Only the programs notice: bpf_perf_event_output() returns -ENOSPC, since
 *   the array has BPF_F_PRESERVE_ELEMS.  To lose nothing, start the next reader before this one
 *   ends: events go to the reader that came last.
 */
PEAT_API int peat_session__pin(struct peat_session *session, const char *path);

/*
 * Sets an option (PEAT_OPTION() of peat.bpf.h) of the object added last, to a number or a text. The
 * text is read as by peat_session__set_variable(), so it can be a number, too.
 *
 *	0	set
 *	-ENOENT	no option of this name
 *	-ERANGE	the value does not fit the variable
 *	-EINVAL	the text is no value of the variable's type
 */
PEAT_API int peat_session__set_number(struct peat_session *session, const char *option,
				      uint64_t value);
PEAT_API int peat_session__set_text(struct peat_session *session, const char *option,
				    const char *value);

/*
 * Sets any other global variable, constant or not.  Before peat_session__start() it is the initial
 * value.  After the start it changes the variable while programs run; constants cannot be changed
 * then.  A number is written at once if it is aligned.  The variable's type
 * decides how `text` is read: "5", "-0x10", "true", the name of an enum value, names of flags
 * joined by |, "5ms" for a peat_duration_t, "64K" for a peat_size_t, "ENOENT" for a
 * peat_errno_t, "SIGKILL" for a peat_signal_t, "192.0.2.1" for a peat_ipv4_t, "192.0.2.1:443"
 * for a struct peat_endpoint, the text itself for a char array.  A name can select a member or an
 * element: "args.pid", "limits[2]".  With several objects, the one that has the variable is used.
 *
 * The name of a PEAT_COUNTER() gives it another event: "cycles:u".
 *
 *	0	set
 *	-ENOENT	no variable of this name
 *	-ERANGE	the value does not fit the variable
 *	-EINVAL	invalid value; a type that cannot be set (floating point, a whole struct); or
 *		two objects have the variable
 *	-EBUSY	a constant, and the session was started
 */
PEAT_API int peat_session__set_variable(struct peat_session *session, const char *name,
					const char *text);

/* A global variable of an object. */
struct peat_variable {
	size_t sz;	  /* sizeof(struct peat_variable), set by the caller */
	const char *name; /* like `field` and `memory`, valid as long as the session */
	/*
	 * The variable: its initial value before the start, then the memory that the programs use.
	 * Callers may read it at any time.  They may write it, too, unless it is a constant of a
	 * started session: that is mapped read-only.
	 */
	void *memory;
	size_t bytes; /* size */
	/* Its type, for peat_field__number() and peat_field__text() with `memory`. */
	const struct peat_field *field;
	bool is_constant; /* const: fixed by the start */
	uint8_t reserved[7];
};

/*
 * Finds a global variable by its name, before or after the start.  Reading or writing its memory
 * needs no further call.  Changes of map sizes in between, by libbpf's functions, move the memory.
 *
 *	0	`variable` is filled up to variable->sz
 *	-ENOENT	no variable of this name
 *	-EINVAL	two objects have it; or its type cannot be described
 *	-ENOTSUP	this kernel cannot map variables (before Linux 5.5)
 */
PEAT_API int peat_session__variable(struct peat_session *session, const char *name,
				    struct peat_variable *variable);

/*
 * Reads a variable, a member or an element ("args.pid", "limits[2]"), before or after the start.
 * Errors as above.
 *
 * read_number: stores the number in `value`, sign-extended if signed.  -EINVAL also if it is not a
 * number.
 *
 * read_variable: prints it as peat_field__text() does: writes at most `room` bytes including the
 * NUL, and returns the length of the whole text.
 */
PEAT_API int peat_session__read_number(const struct peat_session *session, const char *name,
				       uint64_t *value);
PEAT_API int peat_session__read_variable(const struct peat_session *session, const char *name,
					 char *text, size_t room);

/*
 * Returns object `i`, in the order of adding, from 0, for libbpf's functions; NULL after the last.
 * Before the start, callers may change it as between open and load; after that, use its maps and
 * programs.  The session loads it, attaches its programs, and closes it: valid as long as the
 * session.
 */
PEAT_API struct bpf_object *peat_session__object(const struct peat_session *session, uint32_t i);

/*
 * Returns the map of this name, of any of the objects, for libbpf's functions; valid as long as the
 * session.  With several objects, the name can be OBJECT.MAP, such as "execsnoop.counts" for the
 * file execsnoop.bpf.o.
 *
 * NULL and errno: ENOENT: no such map; EINVAL: several objects have maps of this name.
 */
PEAT_API struct bpf_map *peat_session__map(const struct peat_session *session, const char *name);

/*
 * Returns the fd of that map, which stays the session's; or a negative errno: -EINVAL also before
 * the start.
 */
PEAT_API int peat_session__map_fd(const struct peat_session *session, const char *name);

/*
 * Sets the number of entries (max_entries) of the maps of this name, in all objects added so far.
 * Objects leave the number to their loader by max_entries 0.  peat_session__start() gives perf
 * event arrays at least one slot per possible CPU, and hash tables and stack traces a default.
 *
 *	0	set; whether the kernel accepts the number is checked by peat_session__start()
 *	-ENOENT	no map of this name
 *	-EBUSY	the map exists already: it is one of peat.bpf.h
 */
PEAT_API int peat_session__set_map_entries(struct peat_session *session, const char *map,
					   uint32_t entries);

/*
 * Sets the event type of a perf event array, for objects that do not include peat.bpf.h.  `type`
 * names a struct, a union or a typedef of the object; "raw": events are bytes.  `map` is the
 * array's name, or OBJECT.MAP, such as "execsnoop.events" for the file execsnoop.bpf.o; NULL: the
 * only one.  Types that are not set are inferred if possible: peat_session__array().
 *
 *	0	set; whether the type exists is checked by peat_session__start()
 *	-ENOENT	no such map
 *	-EINVAL	several arrays can be meant
 */
PEAT_API int peat_session__name_events(struct peat_session *session, const char *map,
				       const char *type);

/*
 * Excludes the programs of this name, in all objects added so far, from loading and attaching.
 * -ENOENT: no program has this name.
 */
PEAT_API int peat_session__leave_out(struct peat_session *session, const char *program);

/*
 * Chooses the target of the programs of this name, in all objects added so far, instead of one that
 * their sections name; they are loaded, also if their section begins with '?'.  Several calls give
 * several targets, except to programs of fentry, fexit, fmod_ret, lsm and tp_btf.
 *
 *	section				target
 *	uprobe, uretprobe		FILE:FUNCTION, FILE:FUNCTION+OFFSET: all processes; a FILE
 *					without a slash is a library or program of this machine
 *	usdt				FILE:PROVIDER:NAME
 *	kprobe, kretprobe		FUNCTION
 *	tp, tracepoint			CATEGORY:NAME
 *	raw_tp, raw_tracepoint, tp_btf	NAME
 *	fentry, fexit, fmod_ret, lsm	FUNCTION
 *
 *	0	chosen; whether the target exists is checked by peat_session__start()
 *	-ENOENT	no program has this name
 *	-EEXIST	the program has a target, and can have only one
 *	-EINVAL	a program of another kind, or an invalid target
 */
PEAT_API int peat_session__attach_to(struct peat_session *session, const char *program,
				     const char *target);

/*
 * Returns event type `i` of the objects, from 0; NULL after the last.  The types of objects that do
 * not include peat.bpf.h are available after the start.
 */
PEAT_API const struct peat_schema *peat_session__type(const struct peat_session *session,
						      uint32_t i);

/*
 * Returns the stacks that events of the session will have, of PEAT_STACK_* (stack_kind.h), or-ed;
 * 0: none.  To name their addresses (symbols.h), request PEAT_SIDE_BAND_MMAP, _TASK and _COMM of
 * the reader.
 */
PEAT_API uint32_t peat_session__stacks(const struct peat_session *session);

/*
 * Loads the objects, opens the reader with `opts` and attaches the programs.  Programs of
 * perf_event run at the perf event that their object states (PEAT_SAMPLED() of peat.bpf.h), on each
 * CPU of peat_session_opts.cpus; they cannot be pinned.  Call it once.  NULL: default options;
 * where, table and stacks are options of the session, and have to be 0 in `opts`.  Without an
 * object, only the kernel records of opts->side_band are read.
 *
 * An object can pin maps by their name (LIBBPF_PIN_BY_NAME of libbpf, at /sys/fs/bpf/NAME). Objects
 * of one session share such a map.  The session removes its pins when it is freed, and if the start
 * fails.  A map that another program has pinned there is somebody's: with opts.steal the session
 * uses it, so that its reader gets no more events and the programs of both write to it.
 *
 *	0	started
 *	-EBUSY	and no reader: a map of such a name is pinned already, and opts.steal is not set;
 *		the log names the map, its pin and the processes that hold it
 *	another negative errno
 */
PEAT_API int peat_session__start(struct peat_session *session, const struct peat_reader_opts *opts);

/*
 * Makes peat_session__start() return -ECANCELED before it loads the next program.  The program that
 * is being loaded is verified to its end first, which may take seconds for a large one, unless the
 * thread gets signals: each one interrupts the verifier, and libbpf gives up at the fifth.
 * For signal handlers: async-signal-safe.
 */
PEAT_API void peat_session__cancel(struct peat_session *session);

/*
 * A perf event array of an object that does not include peat.bpf.h, or of another program.  If
 * maps, or types, of several objects have the same name, each has its object's in front:
 * "execsnoop.events".  The second object of the same file name is "execsnoop-2"; an array of
 * another program has its id in front, "id17.events".
 */
struct peat_array {
	size_t sz;	    /* sizeof(struct peat_array), set by the caller */
	const char *map;    /* its name; all pointers are valid as long as the session */
	const char *name;   /* the name in events: `map`, or OBJECT.MAP */
	const char *source; /* name or file of the object; NULL: peat_session__add_map() */
	const struct peat_schema *schema; /* type of its events; NULL: unknown */
	const char *why; /* in words: "the only struct of 56 bytes that the object defines" */
	bool is_named;	 /* peat_session__name_events() set the type */
	bool is_guess;	 /* `schema` can be wrong, for the reason in `why` */
	uint8_t reserved[6];
};

/*
 * Returns 1 and array `i`; 0 after the last one; or a negative errno.  After the start, `i` is
 * peat_event.type of the array's events.  Before the start, it infers the types without loading the
 * objects; further objects and the start may change names and numbers of the arrays.
 */
PEAT_API int peat_session__array(struct peat_session *session, uint32_t i,
				 struct peat_array *array);

/* A map of an object that is a table: PEAT_TABLE() or PEAT_HIST() of peat.bpf.h. */
struct peat_session_table {
	size_t sz;	  /* sizeof(struct peat_session_table), set by the caller */
	const char *name; /* the map's, or OBJECT.MAP; pointers are valid as long as the session */
	const char *doc;  /* by PEAT_TABLE(); NULL: none */
	const char *unit; /* by PEAT_HIST(): "ns", "bytes"; NULL: none */
	const char *source;		  /* name or file of the object */
	const struct peat_schema *schema; /* columns, available before the start */
	struct peat_table *table;	  /* the session's; NULL: before the start, or not loaded */
	uint32_t keys;			  /* columns that are the key: the first ones */
	uint32_t reserved;
};

/*
 * Returns 1 and table `i` of the objects, from 0; 0 after the last one; or a negative errno.  Read
 * it by peat_table__read(), also after peat_session__stop().
 */
PEAT_API int peat_session__table(struct peat_session *session, uint32_t i,
				 struct peat_session_table *table);

/*
 * Whether the process is peat_session_opts.ancestor or a descendant of it, by its id in kernel
 * records; true if the option is 0.  For records that the reader did not filter, after the start.
 */
PEAT_API bool peat_session__descends(const struct peat_session *session, uint32_t pid);

/* Returns the session's reader; NULL before peat_session__start(). */
PEAT_API struct peat_reader *peat_session__reader(const struct peat_session *session);

/* Returns the session's channel; NULL in raw mode, and before the first object. */
PEAT_API struct peat_channel *peat_session__channel(const struct peat_session *session);

/* Calls peat_reader__wait() of the session's reader. */
PEAT_API int peat_session__wait(struct peat_session *session, int timeout_ms);

/*
 * Writes all available events to `sink` and flushes it.  Returns the number of PEAT_EVENT_DATA, or
 * the first error.
 */
PEAT_API int peat_session__drain(struct peat_session *session, struct peat_sink *sink);

/* Statistics of a program. */
struct peat_program_stats {
	size_t sz;	  /* sizeof(struct peat_program_stats), set by the caller */
	const char *name; /* valid as long as the session */
	uint64_t runs;	  /* 0 unless opts->measure */
	uint64_t run_ns;  /* time of all runs */
	uint64_t misses;  /* runs that the kernel skipped: as in peat_reader_stats.skipped */
};

/* Returns 1 and the statistics of program `i`, from 0; 0 after the last one; or a negative errno.
 */
PEAT_API int peat_session__program(const struct peat_session *session, uint32_t i,
				   struct peat_program_stats *stats);

/*
 * Detaches the programs: no events are emitted after it returns.  Pinned programs, and programs
 * of other processes, continue, but the session gets no further events of theirs:
 * peat_reader__pause().
 */
PEAT_API void peat_session__stop(struct peat_session *session);

/* Accepts NULL, and a session in any state. */
PEAT_API void peat_session__free(struct peat_session *session);

PEAT_END_DECLS

#endif /* PEAT_SESSION_H */
