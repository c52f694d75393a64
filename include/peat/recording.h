/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * recording.h: what is in a perf.data, whoever wrote it, and what else can be made of it.
 *
 * Any is read: those of perf record and of other tools, files and pipes, compressed ones, the
 * directories of perf record --threads, of either byte order, of 32-bit machines, of writers that
 * crashed.  Nothing that it says of itself is believed, and the memory that it takes is bounded.
 *
 * `path` may be "-": standard input.  What is whole in a recording is told also when the rest is
 * not: then the calls return -EBADMSG, and the log says at which byte what is wrong.
 */
#ifndef PEAT_RECORDING_H
#define PEAT_RECORDING_H

#include <peat/common.h>

PEAT_BEGIN_DECLS

/*
 * Writes to `fd` how many records there are of each type, by the names that stand behind
 * PERF_RECORD_, how many samples of each event, what was lost, and when the first and the last
 * event was: as text or as one JSON object.
 *
 * Compressed records count, and so do those that come out of them.  `lost` is what the records LOST
 * tell, and `lost_samples` what LOST_SAMPLES do, of which some may be the same.
 *
 * A recording of peat's has a ledger, which is told as the writer left it.
 *
 * 0 or a negative errno, which the log explains.
 */
PEAT_API int peat_recording__write_stats(const char *path, int fd, bool json);

/*
 * Likewise what its header says of the machine, the command and the events: the lines that perf
 * report --header-only -I prints, or a JSON array of objects.
 */
PEAT_API int peat_recording__write_header(const char *path, int fd, bool json);

/* ---- made of it ------------------------------------------------------------------------------ */

struct peat_rewrite_opts {
	size_t sz; /* sizeof(struct peat_rewrite_opts) */
	int level; /* of zstd, 1 to 22; 0: not compressed */
	/*
	 * What events are whose samples are plain bytes, and where the types are: as in struct
	 * peat_reader_opts (reader.h), with the same errors.  Stock perf decodes them field by
	 * field in the result, where they are tracepoints, "peat:EVENT"; all else of their samples
	 * stays as it is.  A real pipe has to have its events and types in front of its records.
	 */
	const char *const *as;
	const char *btf;
};

/*
 * Writes a recording anew, to the file `to` ("-": standard output), so that stock perf from 6.1 on
 * reads it: one file with sections, whatever it was made of (pipe, directory, compressed or
 * unfinished file), of events as perf 6.1 knows them.  It has every whole record as it is, in the
 * order and the byte order of the recording; those of a directory merged by time, in rounds.  In a
 * file that is no regular one it is a recording as perf writes it into a pipe.
 *
 * What it cannot have the log names: features and records that perf 6.1 does not know, fields of
 * events that are in no attr of 128 bytes, payloads of AUXTRACE above 32 MiB, samples that would be
 * too large by their type.  What only describes the old shape (EVENT_DESC, COMPRESSED, DIR_FORMAT,
 * the places of AUXTRACE) is made anew or gone.
 *
 * A pipe that is in a file, and a directory, are read twice; a real pipe has to have its
 * tracepoints in front of its records, as perf writes it.
 *
 * `to` is opened, and emptied, once the recording is open: -EINVAL if it is the recording itself.
 * 0; -EBADMSG: the recording is cut or damaged, and all that is whole was written; or another
 * negative errno.  The log explains each.
 */
PEAT_API int peat_recording__rewrite(const char *path, const char *to,
				     const struct peat_rewrite_opts *opts);

/*
 * Writes the stacks of all samples that have one, to the file `to` as above: a line for each stack,
 * sorted, with the task's name, its functions from the outermost on, and how many samples had it:
 *
 *	sh;[libc.so.6]+0x27249;[libc.so.6]+0xf8fb0;do_syscall_64;vfs_read 12
 *
 * Functions of the kernel have names when the recording is of the kernel that runs here, and
 * addresses otherwise; those of programs are the file that was mapped and the place in it.
 *
 * What is held is one of each stack, and what is mapped by each process.  0 or a negative errno as
 * above; without any such sample the file is empty, and the log says so.
 */
PEAT_API int peat_recording__fold(const char *path, const char *to);

PEAT_END_DECLS

#endif /* PEAT_RECORDING_H */
