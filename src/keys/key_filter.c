/*
 * key_filter.c
 *		Integer keys as a Bloom filter that can be sent to another server.
 *
 * Format of version 1: "SKF", a byte 1, the number of groups in four bytes,
 * and the groups, each of SSDPAR_BLOOM_WORDS words of eight bytes.  Numbers
 * are little-endian.  A key is a 64-bit integer.  ssdpar_key_mix(),
 * ssdpar_key_slot() and ssdpar_key_bloom_bit() (key_set.h) determine its group
 * and its bits in the group, as in the Bloom filters of local scans.  Changing
 * one of these functions requires a new version; sql/key_filter.sql contains
 * the bytes of a filter.
 *
 * Words need not be aligned, because they are copied.
 */
#include "postgres.h"

#include "port/pg_bswap.h"

#include "keys/key_filter.h"

#define MAGIC "SKF"
#define VERSION 1

/*
 * With fewer bits for each key, the filter passes one in seven keys that it
 * does not contain.
 */
#define LEAST_BITS 4

#define GROUP_BYTES (SSDPAR_BLOOM_WORDS * sizeof(uint64))

typedef struct Header
{
	char		magic[3];
	uint8		version;
	uint32		ngroups;
} Header;

#ifdef WORDS_BIGENDIAN
#define LITTLE_32(number) pg_bswap32(number)
#define LITTLE_64(number) pg_bswap64(number)
#else
#define LITTLE_32(number) (number)
#define LITTLE_64(number) (number)
#endif

static Size
size_of(uint32 ngroups)
{
	return sizeof(Header) + (Size) ngroups * GROUP_BYTES;
}

/* Writes the header of a filter with this many groups.  */
static void
put_header(char *memory, uint32 ngroups)
{
	Header		header = {
		.version = VERSION,
		.ngroups = LITTLE_32(ngroups),
	};

	memcpy(header.magic, MAGIC, sizeof(header.magic));	/* without the final
														 * zero */
	memcpy(memory, &header, sizeof(header));
}

Size
ssdpar_key_filter_size(uint64 nkeys, Size most)
{
	uint64		most_groups;
	uint64		ngroups;

	most = Min(most, SSDPAR_KEY_FILTER_MAX_BYTES);
	if (most < size_of(1))
		return 0;
	most_groups = (most - sizeof(Header)) / GROUP_BYTES;
	if (nkeys > most_groups * GROUP_BYTES * 8 / LEAST_BITS)
		return 0;
	ngroups = nkeys * SSDPAR_KEY_FILTER_BITS / (GROUP_BYTES * 8) + 1;
	return size_of(Min(ngroups, most_groups));
}

static uint64
get_word(const char *words, Size i)
{
	uint64		word;

	memcpy(&word, words + i * sizeof(word), sizeof(word));
	return LITTLE_64(word);
}

static void
put_word(char *words, Size i, uint64 word)
{
	word = LITTLE_64(word);
	memcpy(words + i * sizeof(word), &word, sizeof(word));
}

void
ssdpar_key_filter_build(const int64 *keys, uint64 nkeys, char *memory,
						Size size)
{
	uint32		ngroups = (size - sizeof(Header)) / GROUP_BYTES;
	char	   *words = memory + sizeof(Header);

	Assert(size == size_of(ngroups) && ngroups > 0);
	memset(memory, 0, size);
	put_header(memory, ngroups);
	for (uint64 k = 0; k < nkeys; k++)
	{
		uint64		mixed = ssdpar_key_mix((uint64) keys[k]);
		Size		first =
			(Size) ssdpar_key_slot(mixed, ngroups) * SSDPAR_BLOOM_WORDS;

		for (int i = 0; i < SSDPAR_BLOOM_WORDS; i++)
			put_word(words, first + i, get_word(words, first + i) |
					 ssdpar_key_bloom_bit(mixed, i));
	}
}

Size
ssdpar_key_filter_size_of_set(const SsdparKeySet *set, Size most)
{
	Size		size = size_of(set->size);

	Assert(set->kind == SSDPAR_KEYS_BLOOM);
	most = Min(most, SSDPAR_KEY_FILTER_MAX_BYTES);
	if (size > most ||
		set->count > (uint64) set->size * GROUP_BYTES * 8 / LEAST_BITS)
		return 0;
	return size;
}

void
ssdpar_key_filter_of_set(const SsdparKeySet *set, char *memory, Size size)
{
	char	   *words = memory + sizeof(Header);

	Assert(size == size_of(set->size));
	put_header(memory, set->size);
	for (Size i = 0; i < (Size) set->size * SSDPAR_BLOOM_WORDS; i++)
		put_word(words, i, set->words[i]);
}

SsdparKeyFilterAnswer
ssdpar_key_filter_ask(const char *filter, Size size, int64 key)
{
	uint64		mixed = ssdpar_key_mix((uint64) key);
	Header		header;
	uint32		ngroups;
	Size		first;

	if (size < sizeof(header))
		return SSDPAR_KEY_NO_FILTER;
	memcpy(&header, filter, sizeof(header));
	ngroups = LITTLE_32(header.ngroups);
	if (memcmp(header.magic, MAGIC, sizeof(header.magic)) != 0)
		return SSDPAR_KEY_NO_FILTER;
	if (header.version != VERSION)
		return SSDPAR_KEY_UNKNOWN_VERSION;
	if (ngroups == 0 || size != size_of(ngroups))
		return SSDPAR_KEY_NO_FILTER;
	first = (Size) ssdpar_key_slot(mixed, ngroups) * SSDPAR_BLOOM_WORDS;
	for (int i = 0; i < SSDPAR_BLOOM_WORDS; i++)
	{
		uint64		bit = ssdpar_key_bloom_bit(mixed, i);

		if ((get_word(filter + sizeof(header), first + i) & bit) == 0)
			return SSDPAR_KEY_NOT_IN;
	}
	return SSDPAR_KEY_MAY_BE_IN;
}
