// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* symbols/namer/namer_child.c: the namer: reads files that its parent opened. */
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <peat/symbols.h>

#include "symbols/debug/debug_file.h"
#include "symbols/namer/flat_frames.h"
#include "symbols/namer/flat_symbols.h"
#include "symbols/namer/namer_child.h"
#include "symbols/namer/namer_lines.h"
#include "symbols/namer/namer_message.h"
#include "symbols/namer/namer_sandbox.h"

#define KEPT_BYTES (32 << 20)

#define MEMORY_SEALS (F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL)

/* The file in hand. */
struct reading {
	struct debug_finder finder; /* first: open_debug() gets it */
	struct namer_message message;
	int likely[NAMER_FDS_MAX]; /* that may be the debug file message.wanted */
	uint32_t likely_count;
};

/* ---- debug files ----------------------------------------------------------------------------- */

static void close_all(int *fds, uint32_t count)
{
	while (count)
		close(fds[--count]);
}

/* Asks the parent for files that may be it.  Returns their number; 0 also if the parent is gone. */
static uint32_t ask_for_files(const struct reading *reading, const struct debug_wanted *wanted,
			      int fds[NAMER_FDS_MAX])
{
	struct namer_message want = { .serial = reading->message.serial,
				      .kind = NAMER_WANT_DEBUG,
				      .wanted = *wanted };
	struct namer_message got;
	uint32_t count;
	int err = namer_message__send(NAMER_SOCKET, &want, NULL, 0);

	if (err)
		return 0;
	do /* a server takes its time */
		err = namer_message__receive(NAMER_SOCKET, &got, fds, &count);
	while (err == -EAGAIN);
	if (err)
		return 0;
	if (got.kind == NAMER_DEBUG)
		return count;
	close_all(fds, count);
	return 0;
}

/* The parent has sent all files of that name. */
static bool is_likely(const struct namer_message *message, const struct debug_wanted *wanted)
{
	return !wanted->of_servers && message->wanted.build_id.bytes &&
	       build_id__equal(&message->wanted.build_id, &wanted->build_id) &&
	       (!*wanted->link || !strcmp(message->wanted.link, wanted->link));
}

static uint32_t request_files(struct reading *reading, const struct debug_wanted *wanted,
			      int fds[NAMER_FDS_MAX])
{
	const uint32_t count = reading->likely_count;

	if (!is_likely(&reading->message, wanted))
		return ask_for_files(reading, wanted, fds);
	memcpy(fds, reading->likely, count * sizeof(*fds));
	reading->likely_count = 0;
	return count;
}

static int open_debug(const struct debug_finder *finder, const struct elf_file *program,
		      struct elf_file **debug)
{
	struct reading *reading = (struct reading *)finder;
	struct debug_wanted wanted;
	const uint32_t rounds = reading->message.has_servers ? DEBUG_ROUNDS : 1;
	int fds[NAMER_FDS_MAX], err = -ENOENT;

	if (!debug_file__describe(program, &wanted))
		return -ENOENT;
	for (uint32_t round = 0; err == -ENOENT && round < rounds; round++) {
		wanted.of_servers = round;
		err = debug_file__choose(program, &wanted, fds,
					 request_files(reading, &wanted, fds), debug);
	}
	return err;
}

/* ---- parts of a file ------------------------------------------------------------------------- */

struct memory {
	int fd;
	void *at;
	size_t bytes;
};

static int make_memory(struct memory *memory, size_t bytes)
{
	int err;

	if (bytes > BUDGET_NAMER_BYTES)
		return -EFBIG;
	memory->bytes = bytes;
	memory->fd = memfd_create("peat-table", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (memory->fd < 0)
		return -errno;
	memory->at = ftruncate(memory->fd, (off_t)bytes)
			     ? MAP_FAILED
			     : mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE,
				    memory->fd, 0);
	if (memory->at != MAP_FAILED)
		return 0;
	err = -errno;
	close(memory->fd);
	return err;
}

/* Returns the file descriptor.  The kernel seals no memory that a mapping can write. */
static int seal(const struct memory *memory, int *fd)
{
	if (munmap(memory->at, memory->bytes) || fcntl(memory->fd, F_ADD_SEALS, MEMORY_SEALS)) {
		close(memory->fd);
		return -EIO;
	}
	*fd = memory->fd;
	return 0;
}

static int flatten_symbols(const struct file_symbols *read, int *fd)
{
	struct memory memory;
	int err = make_memory(&memory, flat_symbols__bytes(read));

	if (err)
		return err;
	flat_symbols__write(read, memory.at);
	return seal(&memory, fd);
}

static int flatten_lines(const struct strbuf *lines, int *fd)
{
	struct memory memory;
	int err = lines->failed ? -ENOMEM : make_memory(&memory, lines->count);

	if (err)
		return err;
	memcpy(memory.at, lines->bytes, lines->count);
	return seal(&memory, fd);
}

static int flatten_frames(const struct call_frames *frames, int *fd)
{
	struct memory memory;
	int err = make_memory(&memory, flat_frames__bytes(frames));

	if (err)
		return err;
	flat_frames__write(frames, memory.at);
	return seal(&memory, fd);
}

static int read_symbols(const struct reading *reading, const struct elf_file *elf, int *fd)
{
	struct file_symbols read;
	int err = file_symbols__read(&read, elf, &reading->finder, reading->message.no_demangle);

	if (err)
		return err;
	err = flatten_symbols(&read, fd);
	file_symbols__free(&read);
	return err;
}

static int read_frames(const struct elf_file *elf, int *fd)
{
	struct call_frames frames;
	int err = call_frames__read(&frames, elf);

	if (err)
		return err;
	err = flatten_frames(&frames, fd);
	call_frames__free(&frames);
	return err;
}

static int read_debug_frame(const struct reading *reading, const struct elf_file *elf, int *fd)
{
	struct call_frames frames;
	int err = call_frames__read_debug(&frames, elf, &reading->finder);

	if (err)
		return err;
	err = flatten_frames(&frames, fd);
	call_frames__free(&frames);
	return err;
}

/* Closes the file. */
static int read_lines(const struct reading *reading, int file, int *fd)
{
	struct strbuf lines = { 0 };
	int err = namer_lines__find(file, &reading->message, &reading->finder, &lines);

	if (!err)
		err = flatten_lines(&lines, fd);
	strbuf__free(&lines);
	return err;
}

/* Stores a memory file with the part; the build-id is in the message. */
static int read_elf(struct reading *reading, const struct elf_file *elf, int *fd)
{
	switch (reading->message.part) {
	case NAMER_BUILD_ID:
		reading->message.build_id = elf->build_id;
		return 0;
	case NAMER_SYMBOLS:
		return read_symbols(reading, elf, fd);
	case NAMER_FRAMES:
		return read_frames(elf, fd);
	case NAMER_DEBUG_FRAME:
		return read_debug_frame(reading, elf, fd);
	default:
		return -EINVAL;
	}
}

/* Closes the file. */
static int read_part(struct reading *reading, int file, int *fd)
{
	struct elf_file *elf;
	int err;

	if (reading->message.part == NAMER_LINES)
		return read_lines(reading, file, fd);
	err = elf_file__open(&elf, file, "");
	if (err)
		return err;
	err = read_elf(reading, elf, fd);
	elf_file__free(elf);
	return err;
}

/* ---- the loop -------------------------------------------------------------------------------- */

/* False: the parent is gone. */
static bool read_file(struct reading *reading, int file)
{
	struct namer_message *message = &reading->message;
	int fd = -1, err;

	message->err = read_part(reading, file, &fd);
	message->kind = NAMER_DONE;
	err = namer_message__send(NAMER_SOCKET, message, &fd, fd >= 0);
	if (fd >= 0)
		close(fd);
	return !err;
}

int namer_child__run(int parent, size_t memory_bytes)
{
	struct namer_message hello = { .kind = NAMER_HELLO };
	struct reading reading = { .finder = { open_debug } };
	int fds[NAMER_FDS_MAX], err;
	uint32_t count;

	prctl(PR_SET_NAME, "peat-namer");
	/* Memory of one file serves the next one. */
	mallopt(M_MMAP_THRESHOLD, KEPT_BYTES);
	mallopt(M_TRIM_THRESHOLD, KEPT_BYTES);
	elf_file__map_files();
	err = namer_sandbox__enter(NAMER_SOCKET, parent, memory_bytes);
	if (err) {
		hello.err = err;
		namer_message__send(NAMER_SOCKET, &hello, NULL, 0);
		return EXIT_FAILURE;
	}
	if (namer_message__send(NAMER_SOCKET, &hello, NULL, 0))
		return EXIT_FAILURE;
	for (;;) {
		err = namer_message__receive(NAMER_SOCKET, &reading.message, fds, &count);
		if (err == -EAGAIN) {
			malloc_trim(0);
			continue;
		}
		if (err)
			break;
		if (!count || reading.message.kind != NAMER_READ ||
		    reading.message.addresses_count > LINE_ADDRESSES_MAX) {
			close_all(fds, count);
			continue;
		}
		reading.likely_count = count - 1;
		memcpy(reading.likely, fds + 1, (count - 1) * sizeof(*fds));
		if (!read_file(&reading, fds[0]))
			break;
		close_all(reading.likely, reading.likely_count);
	}
	return EXIT_SUCCESS;
}

int peat_namer__main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[2], NAMER_FOR_LINES))
		return namer_child__run(atoi(argv[1]), BUDGET_LINES_BYTES);
	return argc == 2 ? namer_child__run(atoi(argv[1]), BUDGET_NAMER_BYTES) : EXIT_FAILURE;
}
