/*
 * ssdemu_inode.c
 *		A hash table of inodes by device and number.
 */
#include "ssdemu_inode.h"

#include <stdlib.h>
#include <unistd.h>

#define BUCKETS 4096

struct SsdemuInodes
{
	SsdemuInode *buckets[BUCKETS];
};

static SsdemuInode **
bucket(SsdemuInodes *inodes, dev_t dev, ino_t ino)
{
	return &inodes->buckets[(ino ^ (dev << 4)) % BUCKETS];
}

SsdemuInodes *
ssdemu_inodes_new(void)
{
	return calloc(1, sizeof(SsdemuInodes));
}

void
ssdemu_inodes_free(SsdemuInodes *inodes)
{
	for (int i = 0; i < BUCKETS; i++)
		while (inodes->buckets[i] != NULL)
			ssdemu_inodes_forget(inodes, inodes->buckets[i],
								 inodes->buckets[i]->lookups);
	free(inodes);
}

SsdemuInode *
ssdemu_inodes_lookup(SsdemuInodes *inodes, int fd, const struct stat *attr)
{
	SsdemuInode **first = bucket(inodes, attr->st_dev, attr->st_ino);
	SsdemuInode *inode = *first;

	while (inode != NULL &&
		   (inode->ino != attr->st_ino || inode->dev != attr->st_dev))
		inode = inode->next;
	if (inode != NULL)
	{
		close(fd);
		inode->lookups++;
		return inode;
	}
	inode = calloc(1, sizeof(*inode));
	if (inode == NULL)
	{
		close(fd);
		return NULL;
	}
	*inode = (SsdemuInode) {*first, attr->st_dev, attr->st_ino, fd, 1};
	*first = inode;
	return inode;
}

void
ssdemu_inodes_forget(SsdemuInodes *inodes, SsdemuInode *inode,
					 uint64_t count)
{
	SsdemuInode **link = bucket(inodes, inode->dev, inode->ino);

	if (count < inode->lookups)
	{
		inode->lookups -= count;
		return;
	}
	while (*link != inode)
		link = &(*link)->next;
	*link = inode->next;
	close(inode->fd);
	free(inode);
}
