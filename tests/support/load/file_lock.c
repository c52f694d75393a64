// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* file_lock.c: threads that write to one file: a write has the file's lock until it ends. */
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <check.h>

#include "support/load/file_lock.h"
#include "support/machine/process.h"
#include "support/machine/slow_memory.h"

struct writer {
	struct file_lock_wait *wait;
	pthread_t thread;
	int file;
	_Atomic pid_t tid;
};

static long long now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

/* Without pwrite(), where a sanitizer would read the byte before it calls the kernel. */
static void write_byte(int file, const char *byte)
{
	ck_assert_int_eq(syscall(SYS_pwrite64, file, byte, 1L, 0L), 1);
}

static void *write_another(void *arg)
{
	struct writer *writer = arg;
	long long start = now_ns();

	writer->tid = (pid_t)syscall(SYS_gettid);
	write_byte(writer->file, "y");
	writer->wait->tid = writer->tid;
	writer->wait->write_ns = now_ns() - start;
	return NULL;
}

static void start_another(void *arg)
{
	struct writer *writer = arg;

	ck_assert_int_eq(pthread_create(&writer->thread, NULL, write_another, writer), 0);
	while (!writer->tid || !process__is_blocked(writer->tid))
		usleep(1000);
}

/* The byte of the first write arrives when the second write has waited for long enough. */
static void make_wait(int file, struct file_lock_wait *wait)
{
	struct writer writer = { .wait = wait, .file = file };
	struct slow_memory memory;

	slow_memory__make(&memory, "x", FILE_LOCK_NS / 1000, start_another, &writer);
	write_byte(file, memory.page);
	slow_memory__free(&memory);
	ck_assert_int_eq(pthread_join(writer.thread, NULL), 0);
}

void file_lock__wait(struct file_lock_wait *waits)
{
	char path[] = "/dev/shm/peat-lock.XXXXXX";
	int file = mkstemp(path);

	ck_assert_int_ge(file, 0);
	unlink(path);
	for (size_t i = 0; i < FILE_LOCK_WAITS; i++)
		make_wait(file, &waits[i]);
	close(file);
}
