/*
 * ssdemu_files.c
 *		Files and directories except for their contents: attributes, listings,
 *		opening and closing, space.  They are passed through and cost no time,
 *		except for discards of freed space.
 */
#include "ssdemu_fs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

static void
op_getattr(fuse_req_t req, fuse_ino_t ino, struct fuse_file_info *info)
{
	struct stat attr;

	(void) info;
	if (ssdemu_control_owns(ino))
		ssdemu_control_getattr(req, ino);
	else if (fstatat(ssdemu_fs_inode(req, ino)->fd, "", &attr,
					 AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW) != 0)
		fuse_reply_err(req, errno);
	else
		fuse_reply_attr(req, &attr, SSDEMU_CACHE_SECONDS);
}

static int
set_owner(int fd, const struct stat *attr, int what)
{
	return fchownat(fd, "",
					what & FUSE_SET_ATTR_UID ? attr->st_uid : (uid_t) -1,
					what & FUSE_SET_ATTR_GID ? attr->st_gid : (gid_t) -1,
					AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW);
}

static int
set_times(const char *path, const struct stat *attr, int what)
{
	struct timespec times[2] = {{0, UTIME_OMIT}, {0, UTIME_OMIT}};

	if (what & FUSE_SET_ATTR_ATIME_NOW)
		times[0].tv_nsec = UTIME_NOW;
	else if (what & FUSE_SET_ATTR_ATIME)
		times[0] = attr->st_atim;
	if (what & FUSE_SET_ATTR_MTIME_NOW)
		times[1].tv_nsec = UTIME_NOW;
	else if (what & FUSE_SET_ATTR_MTIME)
		times[1] = attr->st_mtim;
	return utimensat(AT_FDCWD, path, times, 0);
}

static int
set_attributes(int fd, const struct stat *attr, int what)
{
	SsdemuPath	path = ssdemu_fs_path(fd);

	if ((what & FUSE_SET_ATTR_MODE) && chmod(path.text, attr->st_mode) != 0)
		return errno;
	if ((what & (FUSE_SET_ATTR_UID | FUSE_SET_ATTR_GID)) &&
		set_owner(fd, attr, what) != 0)
		return errno;
	if ((what & FUSE_SET_ATTR_SIZE) &&
		truncate(path.text, attr->st_size) != 0)
		return errno;
	if ((what & (FUSE_SET_ATTR_ATIME | FUSE_SET_ATTR_MTIME)) &&
		set_times(path.text, attr, what) != 0)
		return errno;
	return 0;
}

static void
op_setattr(fuse_req_t req, fuse_ino_t ino, struct stat *attr, int what,
		   struct fuse_file_info *info)
{
	int			errnum = 0;

	/* "echo x > control" truncates first, which must not fail */
	if (!ssdemu_control_owns(ino))
	{
		const SsdemuInode *inode = ssdemu_fs_inode(req, ino);
		off_t		end = ssdemu_io_space_end(inode);

		errnum = set_attributes(inode->fd, attr, what);
		if (errnum == 0 && (what & FUSE_SET_ATTR_SIZE))
			ssdemu_io_discard(ssdemu_fs(req), inode->ino, attr->st_size,
							  end);
	}
	if (errnum != 0)
		fuse_reply_err(req, errnum);
	else
		op_getattr(req, ino, info);
}

/*
 * The kernel's page cache above us may have to read a page that is written
 * partially, and it handles appending; direct I/O applies between program and
 * us, while the backing file stays cached.
 */
static int
backing_flags(int flags)
{
	if ((flags & O_ACCMODE) == O_WRONLY)
		flags = (flags & ~O_ACCMODE) | O_RDWR;
	return (flags & ~(O_APPEND | O_DIRECT | O_NOFOLLOW | O_SYNC | O_DSYNC)) |
		O_CLOEXEC;
}

static void
op_open(fuse_req_t req, fuse_ino_t ino, struct fuse_file_info *info)
{
	const SsdemuInode *inode;
	SsdemuPath	path;
	off_t		end;
	int			fd;

	if (ssdemu_control_owns(ino))
	{
		ssdemu_control_open(req, ino, info);
		return;
	}
	inode = ssdemu_fs_inode(req, ino);
	path = ssdemu_fs_path(inode->fd);
	end = info->flags & O_TRUNC ? ssdemu_io_space_end(inode) : 0;
	fd = open(path.text, backing_flags(info->flags));
	if (fd < 0)
	{
		fuse_reply_err(req, errno);
		return;
	}
	ssdemu_io_discard(ssdemu_fs(req), inode->ino, 0, end);
	info->fh = (uint64_t) fd;
	info->keep_cache = 1;
	if (fuse_reply_open(req, info) != 0)
		close(fd);
}

static void
op_create(fuse_req_t req, fuse_ino_t parent, const char *name, mode_t mode,
		  struct fuse_file_info *info)
{
	struct fuse_entry_param entry;
	int			place = ssdemu_control_owns(parent) ? -1 :
		ssdemu_fs_inode(req, parent)->fd;
	int			fd = openat(place, name, backing_flags(info->flags) | O_CREAT,
							mode);
	int			errnum = fd < 0 ? errno : 0;

	if (errnum == 0)
		errnum = ssdemu_fs_own(req, place, name);
	if (errnum == 0)
		errnum = ssdemu_fs_entry(req, parent, name, &entry);
	if (errnum != 0)
	{
		if (fd >= 0)
			close(fd);
		fuse_reply_err(req, place < 0 ? EPERM : errnum);
		return;
	}
	info->fh = (uint64_t) fd;
	info->keep_cache = 1;
	if (fuse_reply_create(req, &entry, info) != 0)
		close(fd);
}

static void
op_release(fuse_req_t req, fuse_ino_t ino, struct fuse_file_info *info)
{
	if (!ssdemu_control_owns(ino))
		close((int) info->fh);
	fuse_reply_err(req, 0);
}

static void
op_opendir(fuse_req_t req, fuse_ino_t ino, struct fuse_file_info *info)
{
	DIR		   *dir = NULL;
	int			fd = -1;

	if (!ssdemu_control_owns(ino))
	{
		fd = openat(ssdemu_fs_inode(req, ino)->fd, ".",
					O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		dir = fd < 0 ? NULL : fdopendir(fd);
		if (dir == NULL)
		{
			fuse_reply_err(req, errno);
			if (fd >= 0)
				close(fd);
			return;
		}
	}
	info->fh = (uintptr_t) dir;
	if (fuse_reply_open(req, info) != 0 && dir != NULL)
		closedir(dir);
}

/* As many entries as fit; returns their size. */
static size_t
list(fuse_req_t req, DIR *dir, char *buffer, size_t size)
{
	size_t		used = 0;
	struct dirent *found;

	for (;;)
	{
		struct stat attr = {0};
		long		before = telldir(dir);
		size_t		length;

		found = readdir(dir);
		if (found == NULL)
			return used;
		attr.st_ino = found->d_ino;
		attr.st_mode = (mode_t) found->d_type << 12;
		length = fuse_add_direntry(req, buffer + used, size - used,
								   found->d_name, &attr, telldir(dir));
		if (length > size - used)
		{
			seekdir(dir, before);
			return used;
		}
		used += length;
	}
}

/* The control directory is empty: its files are accessed by name. */
static void
op_readdir(fuse_req_t req, fuse_ino_t ino, size_t size, off_t offset,
		   struct fuse_file_info *info)
{
	DIR		   *dir = (DIR *) (uintptr_t) info->fh;
	char	   *buffer;

	(void) ino;
	if (dir == NULL)
	{
		fuse_reply_buf(req, NULL, 0);
		return;
	}
	buffer = malloc(size);
	if (buffer == NULL)
	{
		fuse_reply_err(req, ENOMEM);
		return;
	}
	seekdir(dir, offset);
	fuse_reply_buf(req, buffer, list(req, dir, buffer, size));
	free(buffer);
}

static void
op_releasedir(fuse_req_t req, fuse_ino_t ino, struct fuse_file_info *info)
{
	DIR		   *dir = (DIR *) (uintptr_t) info->fh;

	(void) ino;
	if (dir != NULL)
		closedir(dir);
	fuse_reply_err(req, 0);
}

static void
op_statfs(fuse_req_t req, fuse_ino_t ino)
{
	struct statvfs space;

	(void) ino;
	if (fstatvfs(ssdemu_fs(req)->root.fd, &space) != 0)
		fuse_reply_err(req, errno);
	else
		fuse_reply_statfs(req, &space);
}

static void
op_fallocate(fuse_req_t req, fuse_ino_t ino, int mode, off_t offset,
			 off_t length, struct fuse_file_info *info)
{
	const SsdemuInode *inode;
	off_t		end;

	if (ssdemu_control_owns(ino))
	{
		fuse_reply_err(req, EPERM);
		return;
	}
	if (fallocate((int) info->fh, mode, offset, length) != 0)
	{
		fuse_reply_err(req, errno);
		return;
	}
	/* offset and length have been checked */
	inode = ssdemu_fs_inode(req, ino);
	end = ssdemu_io_space_end(inode);
	if (mode & FALLOC_FL_PUNCH_HOLE)
		ssdemu_io_discard(ssdemu_fs(req), inode->ino, offset,
						  length < end - offset ? offset + length : end);
	fuse_reply_err(req, 0);
}

void
ssdemu_files_operations(struct fuse_lowlevel_ops *operations)
{
	operations->getattr = op_getattr;
	operations->setattr = op_setattr;
	operations->open = op_open;
	operations->create = op_create;
	operations->release = op_release;
	operations->opendir = op_opendir;
	operations->readdir = op_readdir;
	operations->releasedir = op_releasedir;
	operations->statfs = op_statfs;
	operations->fallocate = op_fallocate;
}
