/*
 * ssdemu_profile.c
 *		The devices that can be emulated: one table, each number with where
 *		it comes from.
 *
 * Nothing here is fitted to PostgreSQL.  What no document states is chosen so
 * that the bandwidths which the paper measured come out, and says so.
 */
#include "ssdemu_profile.h"

#include <stddef.h>
#include <string.h>

#define US(number) ((int64_t) ((number) *1000))
#define GIB ((uint64_t) 1 << 30)

/*
 * Common to both SSDs of the paper.
 *
 * channels, packages: section 5.3, ten domains of two subdomains.  chunk
 * size: Table I and section 5.2, 4 kB.  queue depth: Table I, 32.
 * channel_transfer: section 5.3 again.  All requests in one subdomain give
 * 33 MB/s and in one domain's two subdomains 40 MB/s: 124 and 102 us a chunk,
 * which is flash_read + channel_transfer and channel_transfer alone, the 25
 * and 100 us of Agrawal et al. (2008), whom the paper cites for it.
 * bus_transfer: SATA, 300 MB/s less framing; the highest bandwidth in the
 * paper's Figure 5 is about 250 MB/s.
 * read_command: 4 kB random reads stop at 145 MB/s (section 6.1), 28 us each,
 * though neither channels nor bus are full.  write_command: 186.1 MB/s.
 * host, read_setup: what remains of 195 us (21 MB/s) of a single 4 kB random
 * read, and of 56 us (72.6 MB/s, Table II) of one that was read ahead.
 * write_setup: what remains of 67 us (61.4 MB/s, Table II).
 * turn_to_write: Table II, reads and writes together.
 * readahead: one stream, as Figure 6 (two streams are slower than one).
 * readahead_chunks, write_buffer_chunks: chosen; the figures do not depend on
 * them over a wide range.
 */
#define PAPER_SSD \
	.mapping = SSDEMU_MAP_STRIPE, \
	.channels = 10, .packages = 2, .queue_depth = 32, .chunk_bytes = 4096, \
	.write_buffer_chunks = 1024, \
	.readahead_chunks = 64, .readahead_streams = 1, \
	.host = US(12), .read_command = US(27), .write_command = US(21), \
	.read_setup = US(15), .write_setup = US(17), \
	.channel_transfer = US(100), .bus_transfer = US(16.5), \
	.turn_to_write = US(70), .turn_to_read = US(5), \
	.capacity = 32 * GIB

/*
 * A data-centre SSD of about 2018, PCIe 3.0 x4, TLC; no single product.
 *
 * flash_read, flash_program: 60 and 700 us, the middle of what makers of
 * 64-layer TLC state.  channel_transfer: 4 kB at the 400 MB/s of ONFI 3.
 * channels, packages: 16 by 4, usual for controllers of that time.  bus: 3.2
 * GB/s of the 3.9 that four lanes have.  Commands: 0.6 million 4 kB reads
 * and 0.2 million writes a second, the class's usual data-sheet figures.
 * What is emulated of it ends where this machine cannot pass more requests
 * through FUSE; ssdemu-agreement shows where that is.
 */
#define NVME \
	{ \
		.name = "nvme", \
		.about = "a PCIe 3.0 SSD: TLC, sixteen channels", \
		.mapping = SSDEMU_MAP_STRIPE, \
		.channels = 16, .packages = 4, .queue_depth = 1024, \
		.chunk_bytes = 4096, .write_buffer_chunks = 4096, \
		.readahead_chunks = 128, .readahead_streams = 8, \
		.host = US(6), .read_command = US(1.6), .write_command = US(5), \
		.read_setup = US(4), .write_setup = US(2), \
		.flash_read = US(60), .flash_program = US(700), \
		.channel_transfer = US(10), .bus_transfer = US(1.28), \
		.turn_to_write = US(2), .turn_to_read = US(1), \
		.capacity = 512 * GIB, \
	}

/*
 * A disk of 7,200 turns a minute, as the paper's machine had for its system
 * (section 4.1).
 *
 * rotation: 60 s / 7,200.  seek_least, seek_most: 0.8 ms track to track and
 * 16 ms full stroke, so 8.9 ms on average, as such disks' manuals state.
 * media_transfer: 100 MB/s.  One head, so one request at a time: the order of
 * requests is not changed, and any number of outstanding ones gains nothing.
 */
#define HDD \
	{ \
		.name = "hdd", \
		.about = "a disk of 7,200 turns a minute", \
		.mechanical = true, .mapping = SSDEMU_MAP_SINGLE, \
		.channels = 1, .packages = 1, .queue_depth = 1, \
		.chunk_bytes = 4096, .write_buffer_chunks = 1, \
		.host = US(50), \
		.seek_least = US(800), .seek_most = US(16000), \
		.rotation = US(8333), .media_transfer = US(41), \
		.capacity = 250 * GIB, \
	}

static const SsdemuProfile profiles[] = {
	{
		.name = "ssd-s",
		.about = "the paper's SSD-S: SLC, ten channels, SATA",
		PAPER_SSD,
		.flash_read = US(25),	/* Table I */
		.flash_program = US(250),	/* Table I */
	},
	{
		.name = "ssd-m",
		.about = "the paper's SSD-M: MLC, ten channels, SATA",
		PAPER_SSD,
		.flash_read = US(50),	/* Table I */
		.flash_program = US(900),	/* Table I; 82 MB/s over 20 packages,
									 * paper: about 80 */
	},
	NVME,
	HDD,
};

const SsdemuProfile *
ssdemu_profile_at(int i)
{
	int			count = (int) (sizeof(profiles) / sizeof(profiles[0]));

	return i >= 0 && i < count ? &profiles[i] : NULL;
}

const SsdemuProfile *
ssdemu_profile_find(const char *name)
{
	const SsdemuProfile *profile;

	for (int i = 0; (profile = ssdemu_profile_at(i)) != NULL; i++)
		if (strcmp(profile->name, name) == 0)
			return profile;
	return NULL;
}
