/*
 * ssdemu_control.c
 *		The directory .ssdemu of the mount: statistics out, faults in.
 *
 *	stats		read: "name value" lines
 *	control		read: the current faults; written: commands, see
 *				ssdemu_faults.h, or a mark for the trace
 *	echo		read: answered after ECHO_NS without using the device, to
 *				measure the round trip
 *
 * It is not listed, so that programs which walk the mount, or need an empty
 * directory, never see it.
 */
#include "ssdemu_fs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/ssdsim/ssdsim_trace.h"

#define ECHO_NS 200000
#define ECHO_BYTES 4096
#define ECHO_ROUNDS 101
#define TEXT_SIZE 8192
#define MARK_LENGTH (SSDSIM_MARK_SIZE - 1)
#define MOST_TRANSPORT_NS 150000	/* more is noise */

/* Below any address of an inode. */
enum
{
	CONTROL_DIR = 2,
	STATS_FILE,
	CONTROL_FILE,
	ECHO_FILE,
	PAST_CONTROL
};

static const char *const names[] = {
	[STATS_FILE] = "stats",
	[CONTROL_FILE] = "control",
	[ECHO_FILE] = "echo",
};

bool
ssdemu_control_owns(fuse_ino_t ino)
{
	return ino >= CONTROL_DIR && ino < PAST_CONTROL;
}

static void
fill_attr(fuse_ino_t ino, struct stat *attr)
{
	memset(attr, 0, sizeof(*attr));
	attr->st_ino = ino;
	attr->st_nlink = 1;
	attr->st_uid = geteuid();
	attr->st_gid = getegid();
	attr->st_mode = ino == CONTROL_DIR ? S_IFDIR | 0755 :
		ino == CONTROL_FILE ? S_IFREG | 0644 : S_IFREG | 0444;
	attr->st_size = ino == ECHO_FILE ? ECHO_BYTES : 0;
}

bool
ssdemu_control_entry(fuse_ino_t parent, const char *name,
					 struct fuse_entry_param *entry)
{
	fuse_ino_t	ino = 0;

	if (parent == FUSE_ROOT_ID && strcmp(name, SSDEMU_CONTROL_DIR) == 0)
		ino = CONTROL_DIR;
	for (fuse_ino_t i = STATS_FILE; parent == CONTROL_DIR && i <= ECHO_FILE;
		 i++)
		if (strcmp(name, names[i]) == 0)
			ino = i;
	if (ino == 0)
		return false;
	memset(entry, 0, sizeof(*entry));
	entry->ino = ino;
	fill_attr(ino, &entry->attr);
	return true;
}

void
ssdemu_control_getattr(fuse_req_t req, fuse_ino_t ino)
{
	struct stat attr;

	fill_attr(ino, &attr);
	fuse_reply_attr(req, &attr, 0);
}

void
ssdemu_control_open(fuse_req_t req, fuse_ino_t ino,
					struct fuse_file_info *info)
{
	if (ino == CONTROL_DIR)
	{
		fuse_reply_err(req, EISDIR);
		return;
	}
	info->direct_io = 1;
	fuse_reply_open(req, info);
}

typedef struct Echo
{
	fuse_req_t	req;
	size_t		size;
} Echo;

static void
send_echo(void *argument)
{
	static const char zeros[ECHO_BYTES];
	Echo	   *echo = argument;

	fuse_reply_buf(echo->req, zeros, echo->size);
	free(echo);
}

static void
read_echo(fuse_req_t req, size_t size)
{
	Echo	   *echo = malloc(sizeof(*echo));

	if (echo == NULL)
	{
		fuse_reply_err(req, ENOMEM);
		return;
	}
	echo->req = req;
	echo->size = size < ECHO_BYTES ? size : ECHO_BYTES;
	ssdemu_queue_add(ssdemu_fs(req)->queue, ssdemu_now() + ECHO_NS,
					 send_echo, echo);
}

void
ssdemu_control_read(fuse_req_t req, fuse_ino_t ino, size_t size,
					off_t offset)
{
	SsdemuDevice *device = ssdemu_fs(req)->device;
	char		text[TEXT_SIZE];
	size_t		length;

	if (ino == ECHO_FILE)
	{
		read_echo(req, size);
		return;
	}
	length = ino == STATS_FILE ?
		ssdemu_device_print_stats(device, text, sizeof(text)) :
		ssdemu_device_print_faults(device, text, sizeof(text));
	if ((size_t) offset >= length)
		length = 0;
	else
		length -= (size_t) offset;
	fuse_reply_buf(req, text + (length ? offset : 0),
				   length < size ? length : size);
}

/*
 * A mark is alone, and ssdsim can read its name; without one, it ends the
 * previous mark.
 */
static bool
mark(SsdemuTrace *trace, char *text)
{
	size_t		length = strcspn(text, "\n");

	if ((text[0] != ' ' && length > 0) || length > MARK_LENGTH ||
		(text[length] == '\n' && text[length + 1] != '\0'))
		return false;
	text[length] = '\0';
	ssdemu_trace_mark(trace, length > 0 ? text + 1 : "");
	return true;
}

void
ssdemu_control_write(fuse_req_t req, fuse_ino_t ino, const char *data,
					 size_t size)
{
	SsdemuFs   *fs = ssdemu_fs(req);
	char		text[TEXT_SIZE];

	if (ino != CONTROL_FILE || size >= sizeof(text))
	{
		fuse_reply_err(req, ino != CONTROL_FILE ? EPERM : EFBIG);
		return;
	}
	/* text after a zero would seem to be executed */
	if (memchr(data, '\0', size) != NULL)
	{
		fuse_reply_err(req, EINVAL);
		return;
	}
	memcpy(text, data, size);
	text[size] = '\0';
	if (fs->trace != NULL && strncmp(text, "mark", 4) == 0)
	{
		if (mark(fs->trace, text + 4))
			fuse_reply_write(req, size);
		else
			fuse_reply_err(req, EINVAL);
		return;
	}
	if (ssdemu_device_command(fs->device, text))
		fuse_reply_write(req, size);
	else
		fuse_reply_err(req, EINVAL);
}

/* ----- the round trip ----- */

static int
compare_times(const void *a, const void *b)
{
	int64_t		x = *(const int64_t *) a;
	int64_t		y = *(const int64_t *) b;

	return (x > y) - (x < y);
}

/* The lower quartile, because other programs can only lengthen rounds. */
int64_t
ssdemu_transport_measure(const char *mountpoint)
{
	char		path[4096];
	char		buffer[ECHO_BYTES];
	int64_t		times[ECHO_ROUNDS];
	int64_t		result;
	int			fd;

	snprintf(path, sizeof(path), "%s/" SSDEMU_CONTROL_DIR "/echo",
			 mountpoint);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	for (int i = 0; i < ECHO_ROUNDS; i++)
	{
		int64_t		start = ssdemu_now();

		if (pread(fd, buffer, sizeof(buffer), 0) != sizeof(buffer))
		{
			close(fd);
			return -1;
		}
		times[i] = ssdemu_now() - start - ECHO_NS;
	}
	close(fd);
	qsort(times, ECHO_ROUNDS, sizeof(times[0]), compare_times);
	result = times[ECHO_ROUNDS / 4];
	if (result < 0)
		return 0;
	return result < MOST_TRANSPORT_NS ? result : MOST_TRANSPORT_NS;
}
