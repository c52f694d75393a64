/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * agent.h: runs pipelines, from sources of events to outputs (output.h), as a configuration says.
 *
 *	const char *const paths[] = { "/etc/peat/agent.yaml", NULL };
 *	struct peat_agent_opts opts = { .sz = sizeof(opts), .paths = paths };
 *	struct peat_agent *agent = peat_agent__new(&opts);
 *
 *	if (agent && !peat_agent__start(agent))
 *		...wait for a signal...
 *	peat_agent__stop(agent);
 *	peat_agent__free(agent);
 *
 * peat-agent.yaml(5) describes the configuration.  Link with `pkg-config --libs libpeat-agent`.
 *
 * One thread at a time calls the functions of an agent.  It starts a thread for each pipeline and
 * each output, which block all signals.  Ignore SIGPIPE.
 */
#ifndef PEAT_AGENT_H
#define PEAT_AGENT_H

#include <peat/batch.h>
#include <peat/common.h>
#include <peat/output.h>

PEAT_BEGIN_DECLS

struct peat_agent;

struct peat_agent_opts {
	size_t sz; /* sizeof(struct peat_agent_opts) */
	/*
	 * Files of the configuration, and directories of files NAME.yaml; NULL after the last.
	 * Like all pointers, valid as long as the agent: peat_agent__reload() reads them again.
	 */
	const char *const *paths;
	/*
	 * Finds a probe by its name, for programs that contain them: the object and its size, which
	 * stay valid.  False: there is none.  NULL: peat_session__add_probe().
	 */
	bool (*find_probe)(const char *name, const void **object, size_t *bytes);
	/* The program's own outputs, NULL after the last, beside those of the library; or NULL. */
	const struct peat_output_ops *const *outputs;
};

/*
 * Reads and checks the configuration, and starts nothing.  NULL and errno, with the reason in the
 * log: EINVAL: the configuration is wrong, at FILE:LINE:COLUMN; ENOTSUP: built without libyaml;
 * ENOMEM; or an error of reading a file.
 */
PEAT_API struct peat_agent *peat_agent__new(const struct peat_agent_opts *opts);

/*
 * Does what needs CAP_SYS_ADMIN, for programs that give it up before peat_agent__start(), which
 * does it otherwise: if a pipeline has `measure`, the kernel measures programs until
 * peat_agent__free().  If tracefs is not mounted, the process gets its own.  Errors are logged
 * only.
 */
PEAT_API void peat_agent__prepare(struct peat_agent *agent);

/*
 * Makes or checks what the servers of outputs have to have, such as streams, and starts nothing.
 * Prints a line about each.  0; -EEXIST: a server has it with other settings; -ENOENT: no output
 * needs anything; or another negative errno.
 */
PEAT_API int peat_agent__set_up(struct peat_agent *agent,
				void (*print)(void *arg, const char *line), void *arg);

/*
 * Whether the sources that the configuration names exist here, with their options, and expressions
 * can be parsed.  Loads and starts nothing, and needs no privileges, but for files that only root
 * can read.  0, or a negative errno of the first pipeline that cannot start: the log has the
 * reason.
 */
PEAT_API int peat_agent__check(struct peat_agent *agent);

/* Opens the outputs and starts the pipelines.  0, or a negative errno: nothing runs. */
PEAT_API int peat_agent__start(struct peat_agent *agent);

/*
 * Reads the configuration again.  Pipelines and outputs whose settings stay go on.  A pipeline with
 * other settings is replaced without a gap: each event is delivered by the old or by the new one.
 * If they give it other fields, one event of each task may be delivered by both.
 * An output with other settings is closed after it has sent what waits, or after `drain`; then
 * the new one is opened; events wait meanwhile.
 *
 * 0, or a negative errno: the configuration is wrong, or something cannot be started: the log has
 * the reason, and everything runs as before.
 */
PEAT_API int peat_agent__reload(struct peat_agent *agent);

/* Whether all pipelines and outputs work.  False: stores the reason as snprintf() does. */
PEAT_API bool peat_agent__is_healthy(struct peat_agent *agent, char *why, size_t room);

/*
 * Stops the sources, sends what waits for at most `drain`, and closes the outputs.  The counts are
 * final then, and are in the file of the setting `state`.  Pinned programs stay attached.
 */
PEAT_API void peat_agent__stop(struct peat_agent *agent);

/* The ledger, as text for people, or as JSON.  To be freed.  NULL and errno: ENOMEM. */
PEAT_API char *peat_agent__status(struct peat_agent *agent, bool json);

/* The path of the `socket` that the configuration names; NULL: none. */
PEAT_API const char *peat_agent__socket(const struct peat_agent *agent);

/*
 * Whether a pipeline has the setting `pin`, or had it in a former agent: the start finds pinned
 * programs by their ids, which needs CAP_SYS_ADMIN.
 */
PEAT_API bool peat_agent__has_pins(const struct peat_agent *agent);

/* Stops it, if it runs.  Accepts NULL. */
PEAT_API void peat_agent__free(struct peat_agent *agent);

PEAT_END_DECLS

#endif /* PEAT_AGENT_H */
