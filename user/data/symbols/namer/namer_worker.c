// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* symbols/namer/namer_worker.c: a namer, and the file that it reads. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/monotonic.h"
#include "symbols/namer/namer_sandbox.h"
#include "symbols/namer/namer_worker.h"

#define MS_NS	  UINT64_C(1000000)
#define SECOND_NS (1000 * MS_NS)

/* Holes of a file are free to make, so only its blocks count.  3 million symbols take 1.8 s. */
#define BLOCK_BYTES	 512
#define BYTES_PER_SECOND (100 << 20)
#define SECONDS_MAX	 10

/* A child that sleeps, since it is stopped or the CPUs are busy, has so many times its limit. */
#define SLEEPS 4

/* Memory files that are mapped at once: all of it is read then.  Others are mapped page by page. */
#define POPULATED_BYTES (4 << 20)

/* The child's clock is read so often. */
#define CHECK_MS 50

/* ---- requests -------------------------------------------------------------------------------- */

static void close_all(int *fds, uint32_t count)
{
	while (count)
		close(fds[--count]);
}

static bool has_servers(const struct debug_search *search)
{
	return search->places && search->places->debuginfod;
}

/*
 * Opens files that are the debug file if its name is that of Debian, "INITIAL-REST.debug" of the
 * build-id, or if the build-id alone identifies it.  So most files need one message each way.
 */
static uint32_t open_likely(const struct namer_request *request, struct debug_wanted *likely,
			    int *fds)
{
	char id[BUILD_ID_TEXT];

	if (request->part != NAMER_SYMBOLS || !request->search.places ||
	    request->build_id.bytes < 2)
		return 0;
	build_id__text(&request->build_id, id);
	likely->build_id = request->build_id;
	snprintf(likely->link, sizeof(likely->link), "%s.debug", id + 2);
	return debug_places__open(&request->search, likely, fds);
}

static uint64_t seconds_of(const struct stat *file)
{
	uint64_t seconds = 1 + (uint64_t)file->st_blocks * BLOCK_BYTES / BYTES_PER_SECOND;

	return seconds < SECONDS_MAX ? seconds : SECONDS_MAX;
}

/* The time for the largest of the files: of the program, and those that may be its debug file. */
static void add_seconds(struct namer_worker *worker, const int *fds, uint32_t count)
{
	struct stat found;

	for (uint32_t i = 0; i < count; i++)
		if (!fstat(fds[i], &found) && seconds_of(&found) > worker->seconds)
			worker->seconds = seconds_of(&found);
	worker->cpu_end_ns = worker->cpu_begin_ns + worker->seconds * SECOND_NS;
	worker->end_ns = worker->begin_ns + SLEEPS * worker->seconds * SECOND_NS;
}

static void begin_time(struct namer_worker *worker)
{
	worker->seconds = 0;
	worker->cpu_begin_ns = namer_process__cpu_ns(&worker->process);
	worker->begin_ns = worker->asked_ns = monotonic_ns();
}

static int send_request(struct namer_worker *worker, const struct namer_request *request)
{
	struct namer_process *process = &worker->process;
	struct namer_message message = { .kind = NAMER_READ,
					 .serial = ++process->serial,
					 .part = (uint16_t)request->part,
					 .no_demangle = request->no_demangle,
					 .has_servers = has_servers(&request->search),
					 .may_name_files = request->may_name_files,
					 .addresses_count = request->addresses_count };
	int fds[NAMER_FDS_MAX] = { request->fd }, err;
	uint32_t count = 1;

	for (uint32_t i = 0; i < request->addresses_count; i++)
		message.addresses[i] = request->addresses[i];
	count += open_likely(request, &message.wanted, fds + 1);
	begin_time(worker);
	add_seconds(worker, fds, count);
	err = namer_message__send(process->socket, &message, fds, count);
	close_all(fds + 1, count - 1);
	return err;
}

static struct namer_key key_of(const struct namer_request *request)
{
	return (struct namer_key){ request->search.program.st_dev, request->search.program.st_ino,
				   request->part };
}

bool namer_worker__reads(const struct namer_worker *worker, const struct namer_request *request)
{
	const struct namer_key key = key_of(request);

	return worker->is_busy && worker->key.device == key.device &&
	       worker->key.inode == key.inode && worker->key.part == key.part;
}

void namer_worker__start(struct namer_worker *worker, const char *program)
{
	if (!worker->process.pid)
		namer_process__start(&worker->process, program, worker->is_for_lines);
}

/* A child that died while it was idle did not die of the file. */
static int give(struct namer_worker *worker, const char *program,
		const struct namer_request *request)
{
	struct namer_process *process = &worker->process;
	int err;

	if (process->pid && process->parent != getpid())
		namer_worker__end(worker);
	if (process->pid && !namer_process__await_ready(process) && !send_request(worker, request))
		return 0;
	namer_worker__end(worker);
	err = namer_process__start(process, program, worker->is_for_lines);
	if (!err)
		err = namer_process__await_ready(process) ?: send_request(worker, request);
	if (err)
		namer_worker__end(worker);
	return err;
}

int namer_worker__begin(struct namer_worker *worker, const char *program,
			const struct namer_request *request)
{
	int err = give(worker, program, request);

	if (err)
		return err;
	worker->is_busy = true;
	worker->key = key_of(request);
	worker->rounds = 0;
	return 0;
}

/* ---- answers --------------------------------------------------------------------------------- */

static int send_debug_files(struct namer_worker *worker, const struct namer_request *request,
			    const struct debug_wanted *wanted)
{
	struct namer_process *process = &worker->process;
	struct namer_message message = { .kind = NAMER_DEBUG, .serial = process->serial };
	int fds[NAMER_FDS_MAX], err;
	uint32_t count =
		request->search.places ? debug_places__open(&request->search, wanted, fds) : 0;

	add_seconds(worker, fds, count);
	err = namer_message__send(process->socket, &message, fds, count);
	close_all(fds, count);
	return err;
}

/*
 * Maps a memory file that cannot change any more.  Before Linux 6.7, a file with F_SEAL_WRITE has
 * no shared mappings.  0, -EBADMSG: it could change, or a negative errno.
 */
static int map(int fd, struct namer_result *result)
{
	const int seals = F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW;
	const int has = fcntl(fd, F_GET_SEALS); /* before fstat(): then the size stays */
	struct stat found;
	int flags = MAP_PRIVATE;
	void *at;

	if (has < 0 || (has & seals) != seals || fstat(fd, &found) || found.st_size <= 0 ||
	    (uint64_t)found.st_size > BUDGET_NAMER_BYTES)
		return -EBADMSG;
	if (found.st_size <= POPULATED_BYTES)
		flags |= MAP_POPULATE;
	at = mmap(NULL, (size_t)found.st_size, PROT_READ, flags, fd, 0);
	if (at == MAP_FAILED)
		return -errno;
	result->memory = (struct namer_memory){ at, (size_t)found.st_size, true };
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

static uint64_t earlier(uint64_t a_ns, uint64_t b_ns)
{
	return a_ns < b_ns ? a_ns : b_ns;
}

/* Waits until there is a message.  0, -EAGAIN: not until then, -ETIMEDOUT. */
static int await_message(struct namer_worker *worker, bool is_of_root, uint64_t until_ns,
			 struct namer_end *end)
{
	struct pollfd poll_for = { .fd = worker->process.socket, .events = POLLIN };
	uint64_t now_ns = until_ns ? monotonic_ns() : 0;

	for (;;) {
		const uint64_t left_ms = until_ns > now_ns ? (until_ns - now_ns) / MS_NS + 1 : 0;
		const int ready = poll(&poll_for, 1, left_ms < CHECK_MS ? (int)left_ms : CHECK_MS);

		if (ready > 0)
			return 0;
		if (ready < 0 && errno != EINTR)
			return -errno;
		now_ns = monotonic_ns();
		if (now_ns >= worker->end_ns ||
		    namer_process__cpu_ns(&worker->process) >= worker->cpu_end_ns)
			return -ETIMEDOUT;
		until_ns = earlier(until_ns, namer_end__of(end, is_of_root));
		if (now_ns >= until_ns)
			return -EAGAIN;
	}
}

/* -EINPROGRESS: this was not the last message. */
static int use_message(struct namer_worker *worker, const struct namer_request *request,
		       struct namer_result *result)
{
	struct namer_message message;
	int fds[NAMER_FDS_MAX], err;
	uint32_t count;

	err = namer_message__receive(worker->process.socket, &message, fds, &count);
	if (err)
		return err;
	if (message.serial != worker->process.serial)
		err = -EPROTO;
	else if (message.kind == NAMER_DONE)
		err = take_result(request, &message, fds, count, result);
	else if (message.kind != NAMER_WANT_DEBUG || worker->rounds++ == DEBUG_ROUNDS)
		err = -EPROTO;
	close_all(fds, count);
	if (err || message.kind == NAMER_DONE)
		return err;
	return send_debug_files(worker, request, &message.wanted) ? -EPIPE : -EINPROGRESS;
}

bool namer_worker__is_fatal(int err)
{
	return err == -ETIMEDOUT || err == -EPIPE || err == -EPROTO || err == -EBADMSG;
}

int namer_worker__await(struct namer_worker *worker, const struct namer_request *request,
			uint64_t until_ns, struct namer_end *end, struct namer_result *result)
{
	int err;

	worker->asked_ns = monotonic_ns();
	do {
		err = await_message(worker, request->is_of_root, until_ns, end);
		if (!err)
			err = use_message(worker, request, result);
	} while (err == -EINPROGRESS);
	if (err == -EAGAIN)
		return err;
	worker->is_busy = false;
	worker->used_ns = namer_worker__is_fatal(err)
				  ? monotonic_ns() - worker->begin_ns
				  : namer_process__cpu_ns(&worker->process) - worker->cpu_begin_ns;
	if (namer_worker__is_fatal(err))
		namer_worker__end(worker);
	return err;
}

void namer_worker__end(struct namer_worker *worker)
{
	namer_process__end(&worker->process);
	worker->is_busy = false;
}
