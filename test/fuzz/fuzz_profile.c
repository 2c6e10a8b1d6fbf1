/*
 * fuzz_profile.c
 *		Fuzz target for the former file of device profiles
 *		(device/old_profile_file.c).
 *
 * The input is a recipe, letters up to a bar, and bytes to fill records with.
 * For any resulting file: no memory is misused (according to the sanitizers),
 * and either there is a problem and nothing is read, or the texts of all
 * records are terminated.  Their contents are checked as JSON, by the server's
 * parser: t/037_cluster_profile.pl damages such files.
 *
 *	d p l		a device, a point, a link; the capital letter: only its count
 *	=			the next record repeats the previous one
 *	-			the file is one byte shorter
 *	x			the checksum is wrong
 *	v			the version is different
 *	!			one byte of the file is changed
 *	m			all counts are as large as possible
 */
#include "postgres.h"

#include "port/pg_crc32c.h"

#include "device/old_profile_file.h"
#include "fuzz_text.h"
#include "server_stub.h"

#define MOST_RECORDS 12

const char *const fuzz_name = "fuzz_profile";

const char *const fuzz_seeds[] = {
	"dp|any device", "ddppppl|0123456789abcdefghijklm", "l|127.0.0.1:5432",
	"|", "dpppppp|read random 1 2 3", "d=dp=pl=l|x", "dpL|1", "Dp|2", NULL
};

const char *const fuzz_words[] = {
	"d", "p", "l", "D", "P", "L", "=", "-", "x", "v", "!", "m", "|", "\xff",
	"\x7f", "\x01", "=p", "dddd", "pppppppp", "read", "random", NULL
};

/* The file's head, defined independently of old_profile_file.c. */
typedef struct Head
{
	char		magic[8];
	uint32		version;
	pg_crc32c	checksum;
	uint32		sizes[2];		/* of a device, of a point */
	uint32		counts[2];
} Head;

typedef struct LinksHead
{
	uint32		size;
	uint32		count;
} LinksHead;

typedef struct Recipe
{
	int			made[3];		/* records: devices, points, links */
	uint32		told[3];		/* in addition */
	bool		again[3][MOST_RECORDS];
	bool		repeat;
	int			cut;
	bool		wrong_checksum;
	bool		other_version;
	int			flipped;
	const uint8_t *fill;
	size_t		nfill;
} Recipe;

static const size_t record_sizes[3] = {
	sizeof(SsdparStoredDevice), sizeof(SsdparStoredPoint),
	sizeof(SsdparStoredLink)
};

static uint8_t
fill_byte(const Recipe *recipe, size_t at)
{
	if (recipe->nfill == 0)
		return 0;
	return recipe->fill[at % recipe->nfill];
}

static void
add_record(Recipe *recipe, int kind)
{
	if (recipe->made[kind] >= MOST_RECORDS)
		return;
	recipe->again[kind][recipe->made[kind]++] = recipe->repeat;
	recipe->repeat = false;
}

static void
read_letter(Recipe *recipe, char letter)
{
	static const char kinds[] = "dpl";
	static const char counts[] = "DPL";
	const char *kind = strchr(kinds, letter);
	const char *told = strchr(counts, letter);

	if (letter == '\0')
		return;
	if (kind != NULL)
		add_record(recipe, (int) (kind - kinds));
	else if (told != NULL)
		recipe->told[told - counts]++;
	recipe->repeat |= letter == '=';
	recipe->cut += letter == '-';
	recipe->wrong_checksum |= letter == 'x';
	recipe->other_version |= letter == 'v';
	recipe->flipped += letter == '!';
	for (int i = 0; i < 3 && letter == 'm'; i++)
		recipe->told[i] = UINT32_MAX;
}

static Recipe
read_recipe(const uint8_t *data, size_t size)
{
	const uint8_t *bar = memchr(data, '|', size);
	size_t		letters = bar == NULL ? size : (size_t) (bar - data);
	Recipe		recipe = {.cut = 0};

	for (size_t i = 0; i < letters && i < 64; i++)
		read_letter(&recipe, (char) data[i]);
	if (bar != NULL)
	{
		recipe.fill = bar + 1;
		recipe.nfill = size - letters - 1;
	}
	return recipe;
}

static uint8_t *
put_records(const Recipe *recipe, int kind, uint8_t *at)
{
	size_t		size = record_sizes[kind];

	for (int i = 0; i < recipe->made[kind]; i++, at += size)
	{
		if (i > 0 && recipe->again[kind][i])
			memcpy(at, at - size, size);
		else
			for (size_t j = 0; j < size; j++)
				at[j] = fill_byte(recipe, j + 7 * (size_t) i);
		/* keys that differ regardless of the bytes */
		if (i == 0 || !recipe->again[kind][i])
			at[kind == 2 ? 24 : 0] = (uint8_t) ('a' + i);
	}
	return at;
}

static pg_crc32c
checksum_of(const uint8_t *bytes, size_t size)
{
	pg_crc32c	crc;

	INIT_CRC32C(crc);
	COMP_CRC32C(crc, bytes + offsetof(Head, sizes),
				size - offsetof(Head, sizes));
	FIN_CRC32C(crc);
	return crc;
}

/* Returns the file's size. */
static size_t
cook(const Recipe *recipe, uint8_t *bytes)
{
	Head		head = {.magic = "SSDPARD", .version = 2};
	LinksHead	links = {sizeof(SsdparStoredLink), 0};
	uint8_t    *end;
	size_t		size;

	head.magic[7] = 'P';
	head.version += recipe->other_version;
	for (int i = 0; i < 2; i++)
	{
		head.sizes[i] = (uint32) record_sizes[i];
		head.counts[i] = (uint32) recipe->made[i] + recipe->told[i];
	}
	links.count = (uint32) recipe->made[2] + recipe->told[2];
	memcpy(bytes, &head, sizeof(head));
	end = put_records(recipe, 1, put_records(recipe, 0, bytes + sizeof(head)));
	if (recipe->made[2] > 0 || recipe->told[2] > 0)
	{
		memcpy(end, &links, sizeof(links));
		end = put_records(recipe, 2, end + sizeof(links));
	}
	size = (size_t) (end - bytes);
	for (int i = 0; i < recipe->flipped; i++)
		bytes[(fill_byte(recipe, (size_t) i) * 131u + (unsigned) i) % size] ^=
			(uint8_t) (1 << i % 8);
	size -= (size_t) recipe->cut < size ? (size_t) recipe->cut : size;
	if (size >= sizeof(head))
	{
		head.checksum = checksum_of(bytes, size) + recipe->wrong_checksum;
		memcpy(bytes + offsetof(Head, checksum), &head.checksum,
			   sizeof(head.checksum));
	}
	return size;
}

/* ----- what was read ----- */

static void
require_text(const char *text, size_t size)
{
	const char *end = memchr(text, '\0', size);

	REQUIRE(end != NULL);
	for (; text < end; text++)
		REQUIRE((unsigned char) *text < 0x80);
}

#define REQUIRE_TEXT(field) require_text(field, sizeof(field))

static void
require_rules(const SsdparStored *stored)
{
	for (int i = 0; i < stored->ndevices; i++)
	{
		const SsdparStoredDevice *device = &stored->devices[i];

		REQUIRE_TEXT(device->identity);
		REQUIRE_TEXT(device->model);
		REQUIRE_TEXT(device->inside_mapping);
		/* UndefinedBehaviorSanitizer reports any other value */
		REQUIRE(device->rotational == true || device->rotational == false);
	}
	for (int i = 0; i < stored->npoints; i++)
	{
		REQUIRE_TEXT(stored->points[i].operation);
		REQUIRE_TEXT(stored->points[i].pattern);
	}
	for (int i = 0; i < stored->nlinks; i++)
		REQUIRE_TEXT(stored->links[i].address);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static uint8_t bytes[MOST_RECORDS * 4096 + 4096];
	Recipe		recipe;
	size_t		length;
	SsdparStored stored = {0};
	const char *problem;
	char	   *copy;

	if (size == 0)
		return 0;
	recipe = read_recipe(data + 1, size - 1);
	length = cook(&recipe, bytes);

	/* of exactly this size, so that an overread is detected */
	copy = palloc(length + 1);
	memcpy(copy, bytes, length);
	copy[length] = '\0';
	problem = !ssdpar_is_old_profile(copy, length) ? "it is something else" :
		ssdpar_old_profile_read(copy, length, &stored);
	if (problem == NULL)
		require_rules(&stored);
	else
		REQUIRE(stored.ndevices == 0 && stored.npoints == 0 &&
				stored.nlinks == 0);
	server_stub_free();
#ifdef SSDPAR_LIBFUZZER
	return 0;					/* other values have a meaning for libFuzzer */
#else
	return problem == NULL;
#endif
}
