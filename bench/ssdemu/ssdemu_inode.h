/*
 * ssdemu_inode.h
 *		The files of the backing directory that the kernel knows.
 *
 * Each has a descriptor that only names it (O_PATH), so renames need no
 * handling, and a mount over the backing directory itself hides nothing.  Used
 * by one thread.
 */
#ifndef SSDEMU_INODE_H
#define SSDEMU_INODE_H

#include <stdint.h>
#include <sys/stat.h>

typedef struct SsdemuInode
{
	struct SsdemuInode *next;	/* of the same bucket */
	dev_t		dev;
	ino_t		ino;
	int			fd;
	uint64_t	lookups;		/* as the kernel counts them */
} SsdemuInode;

typedef struct SsdemuInodes SsdemuInodes;

extern SsdemuInodes *ssdemu_inodes_new(void);
extern void ssdemu_inodes_free(SsdemuInodes *inodes);

/*
 * The inode of FD, described by ATTR, with one more lookup; takes over FD.
 * NULL if out of memory.
 */
extern SsdemuInode *ssdemu_inodes_lookup(SsdemuInodes *inodes, int fd,
										 const struct stat *attr);

/* The kernel forgets COUNT lookups; without any, the inode is freed. */
extern void ssdemu_inodes_forget(SsdemuInodes *inodes, SsdemuInode *inode,
								 uint64_t count);

#endif							/* SSDEMU_INODE_H */
