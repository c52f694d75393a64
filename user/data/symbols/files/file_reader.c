// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* symbols/files/file_reader.c: reads files in a namer, or in this process. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "symbols/debug/debug_file.h"
#include "symbols/files/file_reader.h"
#include "symbols/namer/flat_frames.h"
#include "symbols/namer/flat_lines.h"
#include "symbols/namer/flat_symbols.h"
#include "symbols/elf/head_id.h"

#define ROOT_ROOM 32 /* "/proc/4294967295/root" */

static struct debug_search search_of(const struct file_reader *reader,
				     const struct opened_file *file, char root[ROOT_ROOM])
{
	snprintf(root, ROOT_ROOM, "/proc/%" PRIu32 "/root", file->pid);
	return (struct debug_search){ &reader->places, file->path, file->pid ? root : NULL,
				      file->status };
}

/* ---- in this process ------------------------------------------------------------------------- */

/* The file descriptor stays the caller's. */
static int open_elf(const struct opened_file *file, struct elf_file **elf)
{
	int fd = fcntl(file->fd, F_DUPFD_CLOEXEC, 0);

	return fd < 0 ? -errno : elf_file__open(elf, fd, file->path);
}

int file_reader__open_debug(const struct file_reader *reader, const struct opened_file *file,
			    const struct elf_file *elf, struct elf_file **debug)
{
	struct debug_wanted wanted;
	struct debug_search search;
	char root[ROOT_ROOM];
	int fds[DEBUG_FILES_MAX], err = -ENOENT;

	if (!debug_file__describe(elf, &wanted))
		return -ENOENT;
	search = search_of(reader, file, root);
	for (uint32_t round = 0; err == -ENOENT && round < DEBUG_ROUNDS; round++) {
		wanted.of_servers = round;
		err = debug_file__choose(elf, &wanted, fds,
					 debug_places__open(&search, &wanted, fds), debug);
	}
	return err;
}

struct finder {
	struct debug_finder finder; /* first: open_debug() gets it */
	const struct file_reader *reader;
	const struct opened_file *file;
};

static int open_debug(const struct debug_finder *arg, const struct elf_file *elf,
		      struct elf_file **debug)
{
	const struct finder *finder = (const struct finder *)arg;

	return file_reader__open_debug(finder->reader, finder->file, elf, debug);
}

/* ---- both ------------------------------------------------------------------------------------ */

static struct namer_request request_of(const struct file_reader *reader,
				       const struct opened_file *file, enum namer_part part,
				       char root[ROOT_ROOM])
{
	return (struct namer_request){ .fd = file->fd,
				       .part = part,
				       .patience = reader->patience,
				       .wait_ms = reader->wait_ms,
				       .is_of_root = file->is_of_root,
				       .no_demangle = reader->no_demangle,
				       .build_id = file->build_id,
				       .search = search_of(reader, file, root) };
}

static int read_build_id_here(const struct opened_file *file, struct build_id *id)
{
	struct elf_file *elf;
	int err = open_elf(file, &elf);

	if (err)
		return err;
	*id = elf->build_id;
	elf_file__free(elf);
	return 0;
}

static int ask_build_id(const struct file_reader *reader, struct opened_file *file)
{
	char root[ROOT_ROOM];
	const struct namer_request request = request_of(reader, file, NAMER_BUILD_ID, root);
	struct namer_result result;
	int err = namer__read(reader->namer, &request, &result);

	file->build_id = result.build_id;
	return err;
}

/* Nearly all files have it in their first bytes, others in a section. */
int file_reader__build_id(const struct file_reader *reader, struct opened_file *file)
{
	int err = 0;

	if (file->is_id_read)
		return 0;
	if (!head_id__read(file->fd, &file->build_id))
		err = reader->namer ? ask_build_id(reader, file)
				    : read_build_id_here(file, &file->build_id);
	file->is_id_read = !err;
	return err;
}

/* Reads a part by a namer, and makes room for it. */
static int ask(const struct file_reader *reader, const struct namer_request *request,
	       struct namer_result *result)
{
	int err = namer__read(reader->namer, request, result);

	if (err || !reader->make_room)
		return err;
	err = reader->make_room(reader->room_arg, result->memory.bytes, request->is_of_root);
	if (err)
		namer_memory__free(&result->memory);
	return err;
}

static int read_symbols_here(const struct file_reader *reader, const struct opened_file *file,
			     struct file_symbols *read)
{
	const struct finder finder = { { open_debug }, reader, file };
	struct elf_file *elf;
	int err = open_elf(file, &elf);

	if (err)
		return err;
	err = file_symbols__read(read, elf, &finder.finder, reader->no_demangle);
	elf_file__free(elf);
	return err;
}

int file_reader__symbols(const struct file_reader *reader, const struct opened_file *file,
			 struct file_symbols *read)
{
	char root[ROOT_ROOM];
	const struct namer_request request = request_of(reader, file, NAMER_SYMBOLS, root);
	struct namer_result result;
	int err;

	if (!reader->namer)
		return read_symbols_here(reader, file, read);
	err = ask(reader, &request, &result);
	if (err)
		return err;
	err = flat_symbols__take_memory(read, &result.memory);
	if (err == -EBADMSG)
		namer__distrust(reader->namer, &request);
	return err;
}

static int read_frames_here(const struct file_reader *reader, const struct opened_file *file,
			    bool is_debug, struct call_frames *frames)
{
	const struct finder finder = { { open_debug }, reader, file };
	struct elf_file *elf;
	int err = open_elf(file, &elf);

	if (err)
		return err;
	err = is_debug ? call_frames__read_debug(frames, elf, &finder.finder)
		       : call_frames__read(frames, elf);
	elf_file__free(elf);
	return err;
}

static int read_frames(const struct file_reader *reader, const struct opened_file *file,
		       bool is_debug, struct call_frames *frames)
{
	char root[ROOT_ROOM];
	const struct namer_request request =
		request_of(reader, file, is_debug ? NAMER_DEBUG_FRAME : NAMER_FRAMES, root);
	struct namer_result result;
	int err;

	if (!reader->namer)
		return read_frames_here(reader, file, is_debug, frames);
	err = ask(reader, &request, &result);
	if (err)
		return err;
	namer_memory__settle(&result.memory);
	err = flat_frames__take_over(frames, result.memory.at, result.memory.bytes);
	if (!err)
		frames->memory = result.memory;
	else
		namer_memory__free(&result.memory);
	if (err == -EBADMSG)
		namer__distrust(reader->namer, &request);
	return err;
}

int file_reader__frames(const struct file_reader *reader, const struct opened_file *file,
			struct call_frames *frames)
{
	return read_frames(reader, file, false, frames);
}

int file_reader__debug_frame(const struct file_reader *reader, const struct opened_file *file,
			     struct call_frames *frames)
{
	return read_frames(reader, file, true, frames);
}

int file_reader__lines(const struct file_reader *reader, const struct opened_file *file,
		       const uint64_t *addresses, uint32_t count, struct line_cache *cache)
{
	char root[ROOT_ROOM];
	struct namer_request request = request_of(reader, file, NAMER_LINES, root);
	struct namer_result result;
	int err;

	request.addresses = addresses;
	request.addresses_count = count;
	request.may_name_files = file->is_of_root || file->status.st_uid == geteuid();
	err = namer__read(reader->namer, &request, &result);
	if (err)
		return err;
	err = flat_lines__take_over(cache, result.memory.at, result.memory.bytes);
	namer_memory__free(&result.memory);
	if (err == -EBADMSG)
		namer__distrust(reader->namer, &request);
	return err;
}
