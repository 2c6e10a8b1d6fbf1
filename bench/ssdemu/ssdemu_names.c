/*
 * ssdemu_names.c
 *		Names: lookup, creation, removal, links.  They are passed through to
 *		the backing directory; a device has no names, so they cost no time.
 */
#include "ssdemu_fs.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

SsdemuPath
ssdemu_fs_path(int fd)
{
	SsdemuPath	path;

	snprintf(path.text, sizeof(path.text), "/proc/self/fd/%d", fd);
	return path;
}

int
ssdemu_fs_entry(fuse_req_t req, fuse_ino_t parent, const char *name,
				struct fuse_entry_param *entry)
{
	SsdemuInode *inode;
	int			fd;

	memset(entry, 0, sizeof(*entry));
	entry->attr_timeout = entry->entry_timeout = SSDEMU_CACHE_SECONDS;
	if (ssdemu_control_entry(parent, name, entry))
		return 0;
	fd = openat(ssdemu_fs_inode(req, parent)->fd, name,
				O_PATH | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return errno;
	if (fstatat(fd, "", &entry->attr, AT_EMPTY_PATH) != 0)
	{
		close(fd);
		return EIO;
	}
	inode = ssdemu_inodes_lookup(ssdemu_fs(req)->inodes, fd, &entry->attr);
	if (inode == NULL)
		return ENOMEM;
	entry->ino = (uintptr_t) inode;
	return 0;
}

int
ssdemu_fs_own(fuse_req_t req, int parent, const char *name)
{
	const struct fuse_ctx *context = fuse_req_ctx(req);

	if (geteuid() != 0)
		return 0;
	return fchownat(parent, name, context->uid, context->gid,
					AT_SYMLINK_NOFOLLOW) == 0 ? 0 : errno;
}

static void
op_lookup(fuse_req_t req, fuse_ino_t parent, const char *name)
{
	struct fuse_entry_param entry;
	int			errnum = ssdemu_control_owns(parent) &&
		!ssdemu_control_entry(parent, name, &entry) ? ENOENT :
		ssdemu_fs_entry(req, parent, name, &entry);

	if (errnum != 0)
		fuse_reply_err(req, errnum);
	else
		fuse_reply_entry(req, &entry);
}

static void
forget_one(fuse_req_t req, fuse_ino_t ino, uint64_t count)
{
	SsdemuFs   *fs = ssdemu_fs(req);
	SsdemuInode *inode;

	if (ino == FUSE_ROOT_ID || ssdemu_control_owns(ino))
		return;
	inode = ssdemu_fs_inode(req, ino);
	if (fs->discard && count >= inode->lookups)
		ssdemu_io_forgotten(fs, inode);
	ssdemu_inodes_forget(fs->inodes, inode, count);
}

static void
op_forget(fuse_req_t req, fuse_ino_t ino, uint64_t count)
{
	forget_one(req, ino, count);
	fuse_reply_none(req);
}

static void
op_forget_multi(fuse_req_t req, size_t count, struct fuse_forget_data *these)
{
	for (size_t i = 0; i < count; i++)
		forget_one(req, these[i].ino, these[i].nlookup);
	fuse_reply_none(req);
}

/* Answers with the entry that was just made, or with the error. */
static void
reply_made(fuse_req_t req, fuse_ino_t parent, const char *name, int result)
{
	struct fuse_entry_param entry;
	int			errnum = result == 0 ? 0 : errno;

	if (errnum == 0)
		errnum = ssdemu_fs_own(req, ssdemu_fs_inode(req, parent)->fd, name);
	if (errnum == 0)
		errnum = ssdemu_fs_entry(req, parent, name, &entry);
	if (errnum != 0)
		fuse_reply_err(req, errnum);
	else
		fuse_reply_entry(req, &entry);
}

/* The control directory, and names in it, cannot be created or removed. */
static bool
refuses_names(fuse_req_t req, fuse_ino_t parent, const char *name)
{
	struct fuse_entry_param entry;

	if (!ssdemu_control_owns(parent) &&
		!ssdemu_control_entry(parent, name, &entry))
		return false;
	fuse_reply_err(req, EPERM);
	return true;
}

static void
op_mkdir(fuse_req_t req, fuse_ino_t parent, const char *name, mode_t mode)
{
	if (!refuses_names(req, parent, name))
		reply_made(req, parent, name,
				   mkdirat(ssdemu_fs_inode(req, parent)->fd, name, mode));
}

static void
op_mknod(fuse_req_t req, fuse_ino_t parent, const char *name, mode_t mode,
		 dev_t dev)
{
	if (!refuses_names(req, parent, name))
		reply_made(req, parent, name,
				   mknodat(ssdemu_fs_inode(req, parent)->fd, name, mode,
						   dev));
}

static void
op_symlink(fuse_req_t req, const char *target, fuse_ino_t parent,
		   const char *name)
{
	if (!refuses_names(req, parent, name))
		reply_made(req, parent, name,
				   symlinkat(target, ssdemu_fs_inode(req, parent)->fd,
							 name));
}

static void
op_link(fuse_req_t req, fuse_ino_t ino, fuse_ino_t parent, const char *name)
{
	struct fuse_entry_param entry;
	SsdemuPath	path;
	int			errnum = 0;

	if (ssdemu_control_owns(ino))
	{
		fuse_reply_err(req, EPERM);
		return;
	}
	if (refuses_names(req, parent, name))
		return;
	path = ssdemu_fs_path(ssdemu_fs_inode(req, ino)->fd);
	if (linkat(AT_FDCWD, path.text, ssdemu_fs_inode(req, parent)->fd, name,
			   AT_SYMLINK_FOLLOW) != 0)
		errnum = errno;
	if (errnum == 0)
		errnum = ssdemu_fs_entry(req, parent, name, &entry);
	if (errnum != 0)
		fuse_reply_err(req, errnum);
	else
		fuse_reply_entry(req, &entry);
}

static void
op_readlink(fuse_req_t req, fuse_ino_t ino)
{
	char		target[4096];
	ssize_t		length = ssdemu_control_owns(ino) ? (errno = EINVAL, -1) :
		readlinkat(ssdemu_fs_inode(req, ino)->fd, "", target,
				   sizeof(target));

	if (length < 0)
		fuse_reply_err(req, errno);
	else if (length == sizeof(target))
		fuse_reply_err(req, ENAMETOOLONG);
	else
	{
		target[length] = '\0';
		fuse_reply_readlink(req, target);
	}
}

static void
remove_name(fuse_req_t req, fuse_ino_t parent, const char *name, int flags)
{
	if (refuses_names(req, parent, name))
		return;
	fuse_reply_err(req, unlinkat(ssdemu_fs_inode(req, parent)->fd, name,
								 flags) == 0 ? 0 : errno);
}

static void
op_unlink(fuse_req_t req, fuse_ino_t parent, const char *name)
{
	remove_name(req, parent, name, 0);
}

static void
op_rmdir(fuse_req_t req, fuse_ino_t parent, const char *name)
{
	remove_name(req, parent, name, AT_REMOVEDIR);
}

static void
op_rename(fuse_req_t req, fuse_ino_t parent, const char *name,
		  fuse_ino_t new_parent, const char *new_name, unsigned flags)
{
	if (refuses_names(req, parent, name) ||
		refuses_names(req, new_parent, new_name))
		return;
	fuse_reply_err(req, renameat2(ssdemu_fs_inode(req, parent)->fd, name,
								  ssdemu_fs_inode(req, new_parent)->fd,
								  new_name, flags) == 0 ? 0 : errno);
}

void
ssdemu_names_operations(struct fuse_lowlevel_ops *operations)
{
	operations->lookup = op_lookup;
	operations->forget = op_forget;
	operations->forget_multi = op_forget_multi;
	operations->mkdir = op_mkdir;
	operations->mknod = op_mknod;
	operations->symlink = op_symlink;
	operations->link = op_link;
	operations->readlink = op_readlink;
	operations->unlink = op_unlink;
	operations->rmdir = op_rmdir;
	operations->rename = op_rename;
}
