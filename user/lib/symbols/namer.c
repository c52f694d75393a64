// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* symbols/namer.c: reads files in children without rights. */
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/internal.h"
#include "symbols/namer.h"
#include "symbols/namer_accounts.h"
#include "symbols/namer_process.h"
#include "symbols/namer_sandbox.h"

#define MS_NS	  UINT64_C(1000000)
#define SECOND_NS (1000 * MS_NS)

/* Holes of a file are free to make, so only its blocks count.  3 million symbols take 1.8 s. */
#define BLOCK_BYTES	 512
#define BYTES_PER_SECOND (100 << 20)
#define SECONDS_MAX	 10

/* A child that sleeps, since it is stopped or the CPUs are busy, has so many times its limit. */
#define SLEEPS 4

/* A signal likely ends the whole program. */
#define INTERRUPTED_NS (200 * MS_NS)

/* Children that may die in a period: files of others than root wait afterwards. */
#define DEATHS_MAX	 10
#define DEATHS_PERIOD_NS (10 * SECOND_NS)
#define PAUSE_NS	 (60 * SECOND_NS)

struct namer {
	char *program;
	struct namer_process of_root, of_others;
	struct namer_accounts accounts;
	uint64_t deaths_begin_ns, paused_until_ns;
	uint32_t deaths;
	bool is_warned;
};

struct namer *namer__new(const char *program)
{
	struct namer *namer = calloc(1, sizeof(*namer));

	if (!namer)
		return NULL;
	namer->program = strdup(program);
	if (namer->program)
		return namer;
	free(namer);
	return NULL;
}

void namer__free(struct namer *namer)
{
	if (!namer)
		return;
	namer_process__end(&namer->of_root);
	namer_process__end(&namer->of_others);
	free(namer->program);
	free(namer);
}

/* ---- waiting --------------------------------------------------------------------------------- */

struct wait {
	struct namer_process *process;
	uint64_t cpu_end_ns; /* of the child's clock */
	uint64_t end_ns;
};

static struct wait begin_wait(struct namer_process *process, const struct stat *file)
{
	uint64_t seconds = 1 + (uint64_t)file->st_blocks * BLOCK_BYTES / BYTES_PER_SECOND;

	if (seconds > SECONDS_MAX)
		seconds = SECONDS_MAX;
	return (struct wait){ process, namer_process__cpu_ns(process) + seconds * SECOND_NS,
			      monotonic_ns() + SLEEPS * seconds * SECOND_NS };
}

/* Waits until there is a message.  0 or -ETIMEDOUT. */
static int await_message(struct wait *wait)
{
	struct pollfd poll_for = { .fd = wait->process->socket, .events = POLLIN };
	uint64_t now_ns;
	int ready;

	/* Most answers come before any clock is read. */
	while ((ready = poll(&poll_for, 1, 50)) <= 0) {
		now_ns = monotonic_ns();
		if (ready < 0 && errno != EINTR)
			return -errno;
		if (ready < 0 && wait->end_ns > now_ns + INTERRUPTED_NS)
			wait->end_ns = now_ns + INTERRUPTED_NS;
		if (now_ns >= wait->end_ns ||
		    namer_process__cpu_ns(wait->process) >= wait->cpu_end_ns)
			return -ETIMEDOUT;
	}
	return 0;
}

/* ---- requests -------------------------------------------------------------------------------- */

static void close_all(int *fds, uint32_t count)
{
	while (count)
		close(fds[--count]);
}

static int send_debug_files(struct namer_process *process, const struct namer_request *request,
			    const struct debug_wanted *wanted)
{
	struct namer_message message = { .kind = NAMER_DEBUG, .serial = process->serial };
	int fds[NAMER_FDS_MAX], err;
	uint32_t count =
		request->search.places ? debug_places__open(&request->search, wanted, fds) : 0;

	err = namer_message__send(process->socket, &message, fds, count);
	close_all(fds, count);
	return err;
}

/* Maps a memory file that cannot change any more.  0, -EBADMSG: it could, or a negative errno. */
static int map(int fd, struct namer_result *result)
{
	const int seals = F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW;
	const int has = fcntl(fd, F_GET_SEALS); /* before fstat(): then the size stays */
	struct stat found;
	void *at;

	if (has < 0 || (has & seals) != seals || fstat(fd, &found) || found.st_size <= 0 ||
	    (uint64_t)found.st_size > NAMER_MEMORY_BYTES)
		return -EBADMSG;
	at = mmap(NULL, (size_t)found.st_size, PROT_READ, MAP_SHARED | MAP_POPULATE, fd, 0);
	if (at == MAP_FAILED)
		return -errno;
	result->at = at;
	result->bytes = (size_t)found.st_size;
	return 0;
}

/* -EPROTO: the child lies. */
static int take_result(const struct namer_request *request, const struct namer_message *message,
		       const int *fds, uint32_t count, struct namer_result *result)
{
	if (message->err)
		return message->err < 0 && message->err > -4096 ? message->err : -EPROTO;
	if (request->part != NAMER_BUILD_ID)
		return count == 1 ? map(fds[0], result) : -EPROTO;
	result->build_id = message->build_id;
	return result->build_id.bytes <= BUILD_ID_BYTES ? 0 : -EPROTO;
}

/* Whether an error is one of the child, which then is not used any more. */
static bool is_fatal(int err)
{
	return err == -ETIMEDOUT || err == -EPIPE || err == -EPROTO || err == -EBADMSG;
}

static int await_result(struct namer_process *process, const struct namer_request *request,
			struct namer_result *result)
{
	struct wait wait = begin_wait(process, &request->search.program);
	struct namer_message message;
	int fds[NAMER_FDS_MAX], err;
	uint32_t count, rounds = 0;

	for (;;) {
		err = await_message(&wait);
		if (!err)
			err = namer_message__receive(process->socket, &message, fds, &count);
		if (err)
			return err;
		if (message.serial != process->serial)
			err = -EPROTO;
		else if (message.kind == NAMER_DONE)
			err = take_result(request, &message, fds, count, result);
		else if (message.kind != NAMER_WANT_DEBUG || rounds++ == DEBUG_ROUNDS)
			err = -EPROTO;
		close_all(fds, count);
		if (err || message.kind == NAMER_DONE)
			return err;
		err = send_debug_files(process, request, &message.wanted);
		if (err)
			return -EPIPE;
	}
}

static int send_request(struct namer_process *process, const struct namer_request *request)
{
	struct namer_message message = { .kind = NAMER_READ,
					 .serial = ++process->serial,
					 .part = (uint16_t)request->part,
					 .no_demangle = request->no_demangle };

	return namer_message__send(process->socket, &message, &request->fd, 1);
}

/* ---- children -------------------------------------------------------------------------------- */

static int start(struct namer *namer, struct namer_process *process)
{
	int err = namer_process__start(process, namer->program);

	if (err && !namer->is_warned) {
		namer->is_warned = true;
		log__warn("functions of programs and libraries have no names: %s cannot be started "
			  "to read them: %s",
			  namer->program, strerror(-err));
	}
	return err;
}

/* A child that died while it was idle did not die of the file. */
static int give(struct namer *namer, struct namer_process *process,
		const struct namer_request *request)
{
	int err;

	if (process->pid && process->parent != getpid())
		namer_process__end(process);
	if (process->pid && !send_request(process, request))
		return 0;
	namer_process__end(process);
	err = start(namer, process);
	return err ?: send_request(process, request);
}

static void count_death(struct namer *namer, uint64_t now_ns)
{
	if (now_ns - namer->deaths_begin_ns > DEATHS_PERIOD_NS) {
		namer->deaths_begin_ns = now_ns;
		namer->deaths = 0;
	}
	if (++namer->deaths >= DEATHS_MAX)
		namer->paused_until_ns = now_ns + PAUSE_NS;
}

static int read_by(struct namer *namer, struct namer_process *process,
		   const struct namer_request *request, struct namer_result *result)
{
	int err = give(namer, process, request);

	if (err)
		return err;
	err = await_result(process, request, result);
	if (is_fatal(err)) {
		namer_process__end(process);
		count_death(namer, monotonic_ns());
	}
	return err;
}

/* Another file may have damaged the child before. */
static int read_of_root(struct namer *namer, const struct namer_request *request,
			struct namer_result *result)
{
	int err = read_by(namer, &namer->of_root, request, result);

	return is_fatal(err) && err != -ETIMEDOUT ? read_by(namer, &namer->of_root, request, result)
						  : err;
}

static int read_of_other(struct namer *namer, const struct namer_request *request,
			 struct namer_result *result)
{
	const uint32_t owner = request->search.program.st_uid;
	const uint64_t begin_ns = monotonic_ns();
	uint64_t end_ns;
	int err;

	if (begin_ns < namer->paused_until_ns ||
	    !namer_accounts__is_open(&namer->accounts, owner, begin_ns))
		return -EBUSY;
	err = read_by(namer, &namer->of_others, request, result);
	end_ns = monotonic_ns();
	if (!namer_accounts__charge(&namer->accounts, owner, end_ns - begin_ns, end_ns))
		log__warn("files of user %u take too long to read: their functions have no names "
			  "for a minute",
			  owner);
	return err;
}

int namer__read(struct namer *namer, const struct namer_request *request,
		struct namer_result *result)
{
	*result = (struct namer_result){ 0 };
	return request->search.program.st_uid ? read_of_other(namer, request, result)
					      : read_of_root(namer, request, result);
}

void namer_result__release(struct namer_result *result)
{
	if (result->at)
		munmap((void *)result->at, result->bytes);
	*result = (struct namer_result){ 0 };
}
