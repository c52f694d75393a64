/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * output.h: outputs send batches (batch.h) to a file or a server, and report what arrived.
 * Link with libpeat-agent (agent.h).
 *
 *	queue ──▶ write() ──▶ file, server ──▶ acknowledged() ──▶ peat_output__settle()
 *
 * An output is four functions and a struct that begins with a struct peat_output.  The agent
 * (agent.h) calls them from one thread for each output:
 *
 *	output = ops->open(&opts);
 *	while (...) {
 *		if (ops->write(output, batch) == -EAGAIN)
 *			...the same batch later...
 *		ops->acknowledged(output, timeout_ms);
 *	}
 *	ops->close(output);
 *
 * Each batch that write() took is settled once: the server has its events, or refuses them, or
 * close() gave it up.  So the numbers of all events of the queue add up.
 */
#ifndef PEAT_OUTPUT_H
#define PEAT_OUTPUT_H

#include <peat/batch.h>
#include <peat/common.h>

PEAT_BEGIN_DECLS

struct peat_output;

/* A line "name: value" of an output's configuration. */
struct peat_setting {
	const char *name, *value;
	uint32_t line, column; /* the value's place, from 1; 0: not of a file */
};

struct peat_output_opts {
	size_t sz;	  /* sizeof(struct peat_output_opts), set by the agent */
	const char *name; /* the output's, for messages; like all pointers valid during open() */
	const char *file; /* the configuration's, for messages; NULL: none */
	/* Without those that the agent reads itself: queue, when-full, spool and spool-*. */
	const struct peat_setting *settings;
	uint32_t setting_count;
	/* A file descriptor that is readable when acknowledged() is to return early. */
	int wake_fd;
	/*
	 * Adds the agent's own points: its ledger, its queues.  For outputs that are asked for them
	 * (Prometheus).  Any thread may call it until close() returns.  0 or a negative errno.
	 */
	int (*collect)(void *arg, struct peat_batch *points);
	/*
	 * Whether all sources and outputs work.  False: stores the reason as snprintf() does.  From
	 * any thread, likewise.
	 */
	bool (*healthy)(void *arg, char *why, size_t room);
	/* How a batch ended: called by peat_output__settle(). */
	void (*settled)(void *arg, struct peat_batch *batch, uint64_t refused, const char *why);
	void *arg;
	/*
	 * Stores the origin of the batch that write() got.  An output that names it to its server
	 * can send a batch again, also after the agent was killed, without storing it twice.
	 * Called by write() alone.  NULL: batches have no origin.
	 */
	void (*origin)(void *arg, const struct peat_batch *batch, struct peat_origin *origin);
};

/* The content that an output can send. */
enum peat_output_takes { PEAT_TAKES_EVENTS = 1, PEAT_TAKES_POINTS = 2 };

struct peat_output_ops {
	size_t sz;	  /* sizeof(struct peat_output_ops) */
	const char *name; /* the setting that selects it: "otlp" */
	uint32_t takes;	  /* PEAT_TAKES_*, or-ed */
	/*
	 * Makes an output; it need not have a connection yet.  NULL and errno: EINVAL for a wrong
	 * setting, which the log names with its file and line; or another error.
	 */
	struct peat_output *(*open)(const struct peat_output_opts *opts);
	/*
	 * Sends a batch, or begins to.  To keep it after the call, take a reference.
	 *
	 *	0		taken: it will be settled, perhaps it is already
	 *	-EAGAIN		not taken: too much is under way, or the server is to be left alone
	 *			for a while
	 */
	int (*write)(struct peat_output *output, struct peat_batch *batch);
	/*
	 * Sends, receives and settles what can be.  Returns when a batch was settled, write() may
	 * take one again, timeout_ms milliseconds have passed, or wake_fd is readable.  The number
	 * of batches that it settled.
	 */
	int (*acknowledged)(struct peat_output *output, int timeout_ms);
	/*
	 * Frees the output.  Batches that are still under way are given up: settled as refused,
	 * "closed".
	 */
	void (*close)(struct peat_output *output);
	/*
	 * Checks the settings as open() does, without an effect: 0 or a negative errno.  NULL:
	 * open() alone checks them.
	 */
	int (*check)(const struct peat_output_opts *opts);
	/*
	 * Makes or checks what the server has to have, such as a stream, and prints a line about
	 * each.  0; -EEXIST: the server has it with other settings; or another negative errno.
	 * NULL: nothing to do.
	 */
	int (*set_up)(const struct peat_output_opts *opts,
		      void (*print)(void *arg, const char *line), void *arg);
};

/* The first member of each output, set by open(): `settled` and `arg` are those of its options. */
struct peat_output {
	size_t sz; /* sizeof(struct peat_output) */
	const struct peat_output_ops *ops;
	void (*settled)(void *arg, struct peat_batch *batch, uint64_t refused, const char *why);
	void *arg;
};

/*
 * For outputs: all events and points of a batch that write() took have arrived, but for `refused`
 * ones, for the reason `why` (NULL: none is refused), such as "HTTP 400".  Does not give back
 * references.
 */
PEAT_API void peat_output__settle(struct peat_output *output, struct peat_batch *batch,
				  uint64_t refused, const char *why);

/* The outputs of this library, by their names: NULL and errno ENOENT: none, or not built in. */
PEAT_API const struct peat_output_ops *peat_output__find(const char *name);

/*
 * Logs an error in a setting: "FILE:LINE:COLUMN: output NAME: setting: ...".  Returns -EINVAL, also
 * in errno.
 */
PEAT_API int peat_output__refuse_setting(const struct peat_output_opts *opts,
					 const struct peat_setting *setting, const char *why);

PEAT_END_DECLS

#endif /* PEAT_OUTPUT_H */
