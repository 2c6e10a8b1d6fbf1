/*
 * ssdemu_fs.h
 *		Shared by the parts of the file system: names and files
 *		(ssdemu_names.c), reads and writes (ssdemu_io.c), the control directory
 *		(ssdemu_control.c).
 */
#ifndef SSDEMU_FS_H
#define SSDEMU_FS_H

#define FUSE_USE_VERSION 312
#include <fuse3/fuse_lowlevel.h>

#include "ssdemu_device.h"
#include "ssdemu_inode.h"
#include "ssdemu_queue.h"
#include "ssdemu_trace.h"

#define SSDEMU_CONTROL_DIR ".ssdemu"

/* The kernel may cache answers, because only we change the files. */
#define SSDEMU_CACHE_SECONDS 60.0

/* The unit of space of a file system. */
#define SSDEMU_BLOCK_BYTES 4096

typedef struct SsdemuFs
{
	SsdemuDevice *device;
	SsdemuQueue *queue;
	SsdemuInodes *inodes;
	SsdemuTrace *trace;			/* NULL: none */
	SsdemuInode root;
	uint32_t	request_bytes;	/* largest read or write */
	bool		discard;		/* report unused space to the device */
} SsdemuFs;

static inline SsdemuFs *
ssdemu_fs(fuse_req_t req)
{
	return fuse_req_userdata(req);
}

/* The inode of a number outside of the control directory. */
static inline SsdemuInode *
ssdemu_fs_inode(fuse_req_t req, fuse_ino_t ino)
{
	if (ino == FUSE_ROOT_ID)
		return &ssdemu_fs(req)->root;
	return (SsdemuInode *) (uintptr_t) ino;
}

/* Room for "/proc/self/fd/N", through which an O_PATH descriptor is opened. */
typedef struct SsdemuPath
{
	char		text[40];
} SsdemuPath;

extern SsdemuPath ssdemu_fs_path(int fd);

/* Looks up a name for the kernel; returns 0 or errno. */
extern int	ssdemu_fs_entry(fuse_req_t req, fuse_ino_t parent,
							const char *name, struct fuse_entry_param *entry);

/* A new file belongs to the caller; returns 0 or errno. */
extern int	ssdemu_fs_own(fuse_req_t req, int parent, const char *name);

/* Each part fills in its operations. */
extern void ssdemu_names_operations(struct fuse_lowlevel_ops *operations);
extern void ssdemu_files_operations(struct fuse_lowlevel_ops *operations);

/* A device whose answers FS sends. */
extern SsdemuDevice *ssdemu_io_device(SsdemuFs *fs,
									  const SsdemuDeviceSpec *spec);

/*
 * Bytes FROM to TO of a file, with its inode number in the backing directory,
 * are no longer used: discards them on the device if that is enabled.
 */
extern void ssdemu_io_discard(SsdemuFs *fs, ino_t file, off_t from, off_t to);

/* The end of the last block of a file; 0 if it is unknown. */
extern off_t ssdemu_io_space_end(const SsdemuInode *inode);

/* The kernel has forgotten a file, which is not open and may have no name. */
extern void ssdemu_io_forgotten(SsdemuFs *fs, const SsdemuInode *inode);

extern void ssdemu_io_operations(struct fuse_lowlevel_ops *operations);

/*
 * The control directory; these are called for every number that may be in it.
 */
extern bool ssdemu_control_owns(fuse_ino_t ino);
extern bool ssdemu_control_entry(fuse_ino_t parent, const char *name,
								 struct fuse_entry_param *entry);
extern void ssdemu_control_getattr(fuse_req_t req, fuse_ino_t ino);
extern void ssdemu_control_open(fuse_req_t req, fuse_ino_t ino,
								struct fuse_file_info *info);
extern void ssdemu_control_read(fuse_req_t req, fuse_ino_t ino, size_t size,
								off_t offset);
extern void ssdemu_control_write(fuse_req_t req, fuse_ino_t ino,
								 const char *data, size_t size);

/*
 * The time that a request spends outside of the device, between program and
 * kernel and us; measured through the mount, in ns.
 */
extern int64_t ssdemu_transport_measure(const char *mountpoint);

#endif							/* SSDEMU_FS_H */
