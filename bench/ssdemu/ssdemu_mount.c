/*
 * ssdemu_mount.c
 *		Mounting, serving, unmounting.
 *
 * One thread receives requests from the kernel, in the order in which they
 * were made, which a device's detection of sequences needs; another one
 * answers them (ssdemu_queue.c).  A third one measures the way through the
 * kernel once, and with --follow waits for the end of that process.
 */
#include "ssdemu_fs.h"
#include "ssdemu_mount.h"
#include "ssdemu_pid_file.h"
#include "ssdemu_warm.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* More than any program here keeps outstanding. */
#define MAX_BACKGROUND 1024

typedef struct Mount
{
	const SsdemuArgs *args;
	SsdemuFs	fs;
	char		mountpoint[PATH_MAX];
	struct fuse_session *session;
	pthread_t	main_thread;
	int			ready;
	int			followed;		/* pidfd or -1 */
	int			end;			/* closing the read end tells the helper to
								 * end */
	SsdemuPidFile pid_file;
} Mount;

/* The last message of libfuse, for our message. */
static char fuse_words[256];

static void
keep_words(enum fuse_log_level level, const char *format, va_list args)
{
	(void) level;
	vsnprintf(fuse_words, sizeof(fuse_words), format, args);
	fuse_words[strcspn(fuse_words, "\n")] = '\0';
}

static void
op_init(void *userdata, struct fuse_conn_info *connection)
{
	SsdemuFs   *fs = userdata;

	connection->max_readahead = fs->request_bytes;
	connection->max_write = fs->request_bytes;
	connection->max_read = fs->request_bytes;
	connection->max_background = MAX_BACKGROUND;
	connection->congestion_threshold = MAX_BACKGROUND;
	connection->time_gran = 1;
	connection->want |= connection->capable &
		(FUSE_CAP_WRITEBACK_CACHE | FUSE_CAP_ASYNC_DIO |
		 FUSE_CAP_ASYNC_READ | FUSE_CAP_PARALLEL_DIROPS);
}

/* ----- before the mount ----- */

/*
 * Fails under the mount of a killed program.  Opens the path, because the
 * kernel may have cached its attributes.
 */
static bool
check_alive(const char *path, SsdsimError *error)
{
	int			fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd >= 0)
		close(fd);
	else if (errno == ENOTCONN || errno == ECONNABORTED)
		return ssdsim_fail(error, "a dead mount lies over %.200s: the program "
						   "that served it has ended and left it. Nothing is "
						   "mounted. Run fusermount3 -u %.200s first, with -z "
						   "if it is busy.", path, path);
	return true;
}

static bool
open_backing(Mount *mount, SsdsimError *error)
{
	const char *path = mount->args->backing;
	SsdemuInode *root = &mount->fs.root;
	struct stat attr;

	root->fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (root->fd < 0 || fstat(root->fd, &attr) != 0)
		return ssdsim_fail(error, "cannot use the backing directory %.200s: "
						   "%s. Nothing is mounted. Give a directory that "
						   "is there.", path, strerror(errno));
	root->dev = attr.st_dev;
	root->ino = attr.st_ino;
	if (faccessat(root->fd, SSDEMU_CONTROL_DIR, F_OK, 0) == 0)
		return ssdsim_fail(error, "%.200s is seen through ssdemu already, or "
						   "holds a file named " SSDEMU_CONTROL_DIR ". "
						   "Nothing is mounted. Unmount it (fusermount3 -u) "
						   "or rename that file.", path);
	return true;
}

static bool
check_mountpoint(Mount *mount, SsdsimError *error)
{
	struct stat attr;

	if (realpath(mount->args->mountpoint, mount->mountpoint) == NULL ||
		stat(mount->mountpoint, &attr) != 0)
		return ssdsim_fail(error, "cannot use the mount point %.200s: %s. "
						   "Give a directory that is there.",
						   mount->args->mountpoint, strerror(errno));
	if (!S_ISDIR(attr.st_mode))
		return ssdsim_fail(error, "the mount point %.200s is not a "
						   "directory. Nothing is mounted.",
						   mount->args->mountpoint);
	return true;
}

static bool
open_followed(Mount *mount, SsdsimError *error)
{
	mount->followed = -1;
	if (mount->args->follow == 0)
		return true;
	mount->followed = (int) syscall(SYS_pidfd_open, mount->args->follow, 0);
	if (mount->followed >= 0)
		return true;
	return ssdsim_fail(error, "--follow %d: %s. Nothing is mounted. Give the "
					   "id of a process that runs (Linux 5.3 or newer).",
					   (int) mount->args->follow, strerror(errno));
}

static bool
prepare(Mount *mount, SsdsimError *error)
{
	SsdemuFs   *fs = &mount->fs;

	if (!check_alive(mount->args->backing, error) ||
		!check_alive(mount->args->mountpoint, error) ||
		!open_backing(mount, error) || !check_mountpoint(mount, error) ||
		!open_followed(mount, error) ||
		!ssdemu_pid_file_open(&mount->pid_file, error))
		return false;
	if (mount->args->warm && !ssdemu_warm(mount->args->backing, error))
		return false;
	if (mount->args->trace != NULL &&
		(fs->trace = ssdemu_trace_open(mount->args->trace, error)) == NULL)
		return false;
	fs->request_bytes = mount->args->request_bytes;
	fs->discard = mount->args->discard &&
		!mount->args->device.spec.mechanical;
	fs->inodes = ssdemu_inodes_new();
	fs->device = ssdemu_io_device(fs, &mount->args->device);
	if (fs->inodes == NULL || fs->device == NULL)
		return ssdsim_fail(error, "out of memory. Nothing is mounted.");
	fs->queue = ssdemu_queue_start(error);
	return fs->queue != NULL;
}

/* ----- the mount ----- */

static bool
mount_fuse(Mount *mount, SsdsimError *error)
{
	struct fuse_lowlevel_ops operations = {.init = op_init};
	char		options[160];
	char	   *words[] = {"ssdemu", "-o", options, NULL};
	struct fuse_args args = FUSE_ARGS_INIT(3, words);

	/* only root may allow other users */
	snprintf(options, sizeof(options),
			 "fsname=ssdemu,subtype=ssdemu,default_permissions,max_read=%u%s",
			 mount->args->request_bytes,
			 geteuid() == 0 ? ",allow_other" : "");
	ssdemu_names_operations(&operations);
	ssdemu_files_operations(&operations);
	ssdemu_io_operations(&operations);
	fuse_set_log_func(keep_words);
	mount->session = fuse_session_new(&args, &operations, sizeof(operations),
									  &mount->fs);
	fuse_opt_free_args(&args);
	if (mount->session != NULL &&
		fuse_session_mount(mount->session, mount->mountpoint) == 0)
		return true;
	return ssdsim_fail(error, "could not mount on %.200s: %s. Nothing is "
					   "mounted. It needs /dev/fuse (modprobe fuse; in a "
					   "container: --device /dev/fuse and the right to "
					   "mount) and, without root, the package fuse3.",
					   mount->mountpoint,
					   fuse_words[0] ? fuse_words : strerror(errno));
}

static void
tell_ready(Mount *mount)
{
	ssdemu_pid_file_write(&mount->pid_file);
	if (mount->ready >= 0 && write(mount->ready, "R", 1) == 1)
		close(mount->ready);
}

static void *
help_out(void *argument)
{
	Mount	   *mount = argument;
	int64_t		transport = mount->args->transport;
	struct pollfd ends[2] = {
		{.fd = mount->end, .events = POLLIN},
		{.fd = mount->followed, .events = POLLIN},
	};

	if (transport < 0)
		transport = ssdemu_transport_measure(mount->mountpoint);
	ssdemu_device_set_transport(mount->fs.device,
								transport < 0 ? 0 : transport);
	tell_ready(mount);
	while (poll(ends, 2, -1) < 0 && errno == EINTR)
		;
	if (ends[1].revents != 0)
		pthread_kill(mount->main_thread, SIGTERM);
	return NULL;
}

/* Only the main thread handles signals, which interrupt its wait. */
static int
start_helper(Mount *mount, pthread_t *thread)
{
	sigset_t	all;
	sigset_t	before;
	int			errnum;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	errnum = pthread_create(thread, NULL, help_out, mount);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return errnum;
}

static bool
serve(Mount *mount, SsdsimError *error)
{
	pthread_t	helper;
	int			pipes[2];

	if (pipe(pipes) != 0)
		return ssdsim_fail(error, "could not make a pipe: %s. It is "
						   "unmounted again.", strerror(errno));
	mount->end = pipes[0];
	mount->main_thread = pthread_self();
	if (fuse_set_signal_handlers(mount->session) != 0 ||
		start_helper(mount, &helper) != 0)
		return ssdsim_fail(error, "could not start: out of threads or "
						   "signals are taken. It is unmounted again.");
	ssdemu_be_prompt();
	fuse_session_loop(mount->session);
	close(pipes[1]);
	ssdemu_device_end(mount->fs.device);
	/* unmounting closes the descriptor to which answers are written */
	ssdemu_queue_stop(mount->fs.queue);
	mount->fs.queue = NULL;
	fuse_session_unmount(mount->session);
	pthread_join(helper, NULL);
	close(pipes[0]);
	fuse_remove_signal_handlers(mount->session);
	return true;
}

/* The request was fulfilled, except for a trace with errors. */
static bool
clean_up(Mount *mount, SsdsimError *error)
{
	bool		good = true;

	if (mount->fs.queue != NULL)
		ssdemu_queue_stop(mount->fs.queue);
	if (mount->session != NULL)
		fuse_session_destroy(mount->session);
	if (mount->fs.device != NULL)
		ssdemu_device_free(mount->fs.device);
	if (mount->fs.trace != NULL)
		good = ssdemu_trace_close(mount->fs.trace, error);
	if (mount->fs.inodes != NULL)
		ssdemu_inodes_free(mount->fs.inodes);
	if (mount->fs.root.fd >= 0)
		close(mount->fs.root.fd);
	if (mount->followed >= 0)
		close(mount->followed);
	ssdemu_pid_file_close(&mount->pid_file);
	return good;
}

bool
ssdemu_mount_run(const SsdemuArgs *args, int ready, SsdsimError *error)
{
	Mount		mount = {.args = args, .ready = ready, .followed = -1,
	.pid_file = {.path = args->pid_file, .fd = -1}};
	SsdsimError later;
	bool		good;

	mount.fs.root.fd = -1;
	good = prepare(&mount, error);
	umask(0);					/* the kernel applies the callers' */
	good = good && mount_fuse(&mount, error);
	if (good)
	{
		good = serve(&mount, error);
		if (!good)
			fuse_session_unmount(mount.session);
	}
	/* report the first message */
	return clean_up(&mount, good ? error : &later) && good;
}
