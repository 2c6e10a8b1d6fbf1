/*
 * ssdemu_io.c
 *		Contents of files: read and write the backing file at once, answer
 *		when the device model says that the device would be done.
 *
 * The backing file is in the machine's page cache, so the work takes next to
 * no time and the model is all that a program sees.  A flush costs what the
 * device's write buffer needs to empty; the backing file itself is left to
 * the kernel's write-back, as it holds nothing that must survive a crash of
 * the machine.
 */
#include "ssdemu_fs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* An answer that waits for its time. */
typedef struct Answer
{
	fuse_req_t	req;
	SsdemuKind	kind;
	bool		flush;
	int			errnum;
	size_t		size;
	char		data[];
} Answer;

static void
send_answer(void *argument)
{
	Answer	   *answer = argument;

	if (answer->errnum != 0 || answer->flush)
		fuse_reply_err(answer->req, answer->errnum);
	else if (answer->kind == SSDEMU_READ)
		fuse_reply_buf(answer->req, answer->data, answer->size);
	else
		fuse_reply_write(answer->req, answer->size);
	free(answer);
}

static Answer *
new_answer(fuse_req_t req, SsdemuKind kind, size_t room)
{
	Answer	   *answer = malloc(sizeof(*answer) + room);

	if (answer == NULL)
	{
		fuse_reply_err(req, ENOMEM);
		return NULL;
	}
	memset(answer, 0, sizeof(*answer));
	answer->req = req;
	answer->kind = kind;
	return answer;
}

/*
 * Where a file lies on the device.  Files are laid out by chance, each in one
 * piece, which says nothing about fragmentation but keeps them apart.
 */
static uint64_t
device_address(fuse_req_t req, fuse_ino_t ino, off_t offset)
{
	const SsdemuModel *model = &ssdemu_fs(req)->device->model;
	uint64_t	chunk = model->profile.chunk_bytes;
	uint64_t	place = ssdemu_mix(model->seed ^
								   ssdemu_fs_inode(req, ino)->ino);

	return place % (model->profile.capacity / chunk) * chunk +
		(uint64_t) offset;
}

/* Let the device have the request; an empty one asks nothing of it. */
static void
submit(Answer *answer, fuse_ino_t ino, off_t offset, int64_t now)
{
	SsdemuFs   *fs = ssdemu_fs(answer->req);
	uint64_t	address;
	int64_t		time;

	if (answer->size == 0 || answer->errnum != 0)
	{
		send_answer(answer);
		return;
	}
	address = device_address(answer->req, ino, offset);
	if (fs->trace != NULL)
		ssdemu_trace_read(fs->trace, fuse_req_ctx(answer->req)->pid, address,
						  (uint32_t) answer->size);
	answer->errnum = ssdemu_device_submit(fs->device, answer->kind, address,
										  (uint32_t) answer->size, now,
										  &time);
	ssdemu_queue_add(fs->queue, time, send_answer, answer);
}

static void
op_read(fuse_req_t req, fuse_ino_t ino, size_t size, off_t offset,
		struct fuse_file_info *info)
{
	int64_t		now = ssdemu_now();
	Answer	   *answer;
	ssize_t		got;

	if (ssdemu_control_owns(ino))
	{
		ssdemu_control_read(req, ino, size, offset);
		return;
	}
	answer = new_answer(req, SSDEMU_READ, size);
	if (answer == NULL)
		return;
	got = pread((int) info->fh, answer->data, size, offset);
	if (got < 0)
		answer->errnum = errno;
	else
		answer->size = (size_t) got;
	submit(answer, ino, offset, now);
}

/* An injected error leaves the file as it is, so it is asked for first. */
static void
op_write(fuse_req_t req, fuse_ino_t ino, const char *data, size_t size,
		 off_t offset, struct fuse_file_info *info)
{
	SsdemuFs   *fs = ssdemu_fs(req);
	int64_t		now = ssdemu_now();
	int64_t		time = now;
	Answer	   *answer;
	ssize_t		put;

	if (ssdemu_control_owns(ino))
	{
		ssdemu_control_write(req, ino, data, size);
		return;
	}
	answer = new_answer(req, SSDEMU_WRITE, 0);
	if (answer == NULL)
		return;
	if (size > 0)
		answer->errnum = ssdemu_device_submit(fs->device, SSDEMU_WRITE,
											  device_address(req, ino, offset),
											  (uint32_t) size, now, &time);
	if (answer->errnum == 0)
	{
		put = pwrite((int) info->fh, data, size, offset);
		if (put < 0)
			answer->errnum = errno;
		else
			answer->size = (size_t) put;
	}
	ssdemu_queue_add(fs->queue, time, send_answer, answer);
}

static void
op_fsync(fuse_req_t req, fuse_ino_t ino, int datasync,
		 struct fuse_file_info *info)
{
	SsdemuFs   *fs = ssdemu_fs(req);
	Answer	   *answer = new_answer(req, SSDEMU_WRITE, 0);

	(void) ino;
	(void) datasync;
	(void) info;
	if (answer == NULL)
		return;
	answer->flush = true;
	ssdemu_queue_add(fs->queue,
					 ssdemu_device_flush(fs->device, ssdemu_now()),
					 send_answer, answer);
}

void
ssdemu_io_operations(struct fuse_lowlevel_ops *operations)
{
	operations->read = op_read;
	operations->write = op_write;
	operations->fsync = op_fsync;
	operations->fsyncdir = op_fsync;
}
