/*
 * ssdemu_io.c
 *		Contents of files: reads and writes the backing file immediately, and
 *		answers when the device would be done.
 *
 * The backing file is in the machine's page cache, so that takes hardly any
 * time, and a program only sees the device's time.  A flush takes the time to
 * empty the device's write buffer; the backing file itself is left to the
 * kernel's write-back, because nothing in it must survive a crash of the
 * machine.
 */
#include "ssdemu_fs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The largest TRIM; a file may be larger than a request can be. */
#define TRIM_BYTES (UINT64_C(1) << 30)

/* An answer that waits for its time. */
typedef struct Answer
{
	fuse_req_t	req;			/* NULL: there is no waiting caller */
	SsdsimKind	kind;
	int			errnum;
	size_t		size;
	char		data[];
} Answer;

static void
send_answer(void *argument)
{
	Answer	   *answer = argument;

	if (answer->req == NULL)
		 /* the device is done with a TRIM */ ;
	else if (answer->errnum != 0 || answer->kind == SSDSIM_FLUSH)
		fuse_reply_err(answer->req, answer->errnum);
	else if (answer->kind == SSDSIM_READ)
		fuse_reply_buf(answer->req, answer->data, answer->size);
	else
		fuse_reply_write(answer->req, answer->size);
	free(answer);
}

static Answer *
new_answer(fuse_req_t req, SsdsimKind kind, size_t room)
{
	Answer	   *answer = malloc(sizeof(*answer) + room);

	if (answer == NULL)
	{
		if (req != NULL)
			fuse_reply_err(req, ENOMEM);
		return NULL;
	}
	memset(answer, 0, sizeof(*answer));
	answer->req = req;
	answer->kind = kind;
	return answer;
}

/* The device has reported when an answer is due. */
static void
plan_answer(void *argument, void *owner, int64_t when)
{
	SsdemuFs   *fs = argument;

	ssdemu_queue_add(fs->queue, when, send_answer, owner);
}

SsdemuDevice *
ssdemu_io_device(SsdemuFs *fs, const SsdemuDeviceSpec *spec)
{
	return ssdemu_device_new(spec, plan_answer, fs);
}

static void
run_device(void *argument)
{
	SsdemuFs   *fs = argument;
	int64_t		wake = ssdemu_device_run(fs->device, ssdemu_now());

	if (wake != SSDSIM_NEVER)
		ssdemu_queue_add(fs->queue, wake, run_device, fs);
}

/* Submits a request to the device, complete except for its time. */
static void
submit(SsdemuFs *fs, Answer *answer, uint64_t address, uint32_t bytes,
	   int64_t now)
{
	pid_t		process = answer->req == NULL ? 0 :
		fuse_req_ctx(answer->req)->pid;
	int64_t		wake;
	int			errnum;

	if (fs->trace != NULL)
		ssdemu_trace_request(fs->trace, answer->kind, address, bytes,
							 process, now);
	errnum = ssdemu_device_submit(fs->device, answer->kind, address, bytes,
								  now, answer, &wake);
	if (errnum != 0)
	{
		answer->errnum = errnum;
		send_answer(answer);
	}
	if (wake != SSDSIM_NEVER)
		ssdemu_queue_add(fs->queue, wake, run_device, fs);
}

/* The same for a part of a file; an empty one makes no request. */
static void
submit_part(Answer *answer, fuse_ino_t ino, off_t offset, size_t size,
			int64_t now)
{
	SsdemuFs   *fs = ssdemu_fs(answer->req);
	SsdemuDevice *device = fs->device;
	uint64_t	place;

	if (size == 0)
	{
		send_answer(answer);
		return;
	}
	place = ssdemu_device_place(device,
								ssdemu_fs_inode(answer->req, ino)->ino);
	submit(fs, answer, ssdsim_spec_fold(&device->spec.spec,
										place + (uint64_t) offset, size),
		   (uint32_t) size, now);
}

/*
 * The request has no waiting caller, as in a journaling file system, where the
 * device is told some time after the file was removed.  Discards whole blocks,
 * and the last one too if the file ends in it.
 */
void
ssdemu_io_discard(SsdemuFs *fs, ino_t file, off_t from, off_t to)
{
	const uint64_t block = SSDEMU_BLOCK_BYTES;
	uint64_t	first = ((uint64_t) from + block - 1) / block * block;
	uint64_t	end = (uint64_t) to / block * block;
	uint64_t	place;
	uint64_t	capacity;

	if (!fs->discard || from < 0 || to < 0)
		return;
	place = ssdemu_device_place(fs->device, file);
	capacity = ssdsim_spec_capacity(&fs->device->spec.spec);
	/* a larger file, possibly with holes, uses every page of the device */
	if (first < end && end - first > capacity)
		first = end - capacity;
	while (first < end)
	{
		uint64_t	address = (place + first) % capacity;
		uint64_t	bytes = end - first;
		Answer	   *answer = new_answer(NULL, SSDSIM_TRIM, 0);

		/* where it wraps around, one piece on each side */
		if (bytes > capacity - address)
			bytes = capacity - address;
		if (bytes > TRIM_BYTES)
			bytes = TRIM_BYTES;
		if (answer == NULL)
			return;
		submit(fs, answer, address, (uint32_t) bytes, ssdemu_now());
		first += bytes;
	}
}

off_t
ssdemu_io_space_end(const SsdemuInode *inode)
{
	struct stat attr;

	if (fstatat(inode->fd, "", &attr, AT_EMPTY_PATH) != 0 ||
		!S_ISREG(attr.st_mode) || attr.st_size > INT64_MAX / 2)
		return 0;
	return (attr.st_size + SSDEMU_BLOCK_BYTES - 1) / SSDEMU_BLOCK_BYTES *
		SSDEMU_BLOCK_BYTES;
}

void
ssdemu_io_forgotten(SsdemuFs *fs, const SsdemuInode *inode)
{
	struct stat attr;

	if (fstatat(inode->fd, "", &attr, AT_EMPTY_PATH) == 0 &&
		attr.st_nlink == 0)
		ssdemu_io_discard(fs, inode->ino, 0, ssdemu_io_space_end(inode));
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
	answer = new_answer(req, SSDSIM_READ, size);
	if (answer == NULL)
		return;
	got = pread((int) info->fh, answer->data, size, offset);
	if (got < 0)
		answer->errnum = errno;
	else
		answer->size = (size_t) got;
	if (answer->size > 0)
		answer->errnum = ssdemu_device_fault(ssdemu_fs(req)->device,
											 SSDSIM_READ);
	submit_part(answer, ino, offset, answer->size, now);
}

/* An injected error leaves the file unchanged, so check for it first. */
static void
op_write(fuse_req_t req, fuse_ino_t ino, const char *data, size_t size,
		 off_t offset, struct fuse_file_info *info)
{
	int64_t		now = ssdemu_now();
	Answer	   *answer;
	ssize_t		put;

	if (ssdemu_control_owns(ino))
	{
		ssdemu_control_write(req, ino, data, size);
		return;
	}
	answer = new_answer(req, SSDSIM_WRITE, 0);
	if (answer == NULL)
		return;
	if (size > 0)
		answer->errnum = ssdemu_device_fault(ssdemu_fs(req)->device,
											 SSDSIM_WRITE);
	if (answer->errnum == 0)
	{
		put = pwrite((int) info->fh, data, size, offset);
		if (put < 0)
			answer->errnum = errno;
		else
			answer->size = (size_t) put;
	}
	submit_part(answer, ino, offset, size, now);
}

static void
op_fsync(fuse_req_t req, fuse_ino_t ino, int datasync,
		 struct fuse_file_info *info)
{
	Answer	   *answer = new_answer(req, SSDSIM_FLUSH, 0);

	(void) ino;
	(void) datasync;
	(void) info;
	if (answer != NULL)
		submit(ssdemu_fs(req), answer, 0, 0, ssdemu_now());
}

void
ssdemu_io_operations(struct fuse_lowlevel_ops *operations)
{
	operations->read = op_read;
	operations->write = op_write;
	operations->fsync = op_fsync;
	operations->fsyncdir = op_fsync;
}
