/*
 * fuzz_corpus.h
 *		Replays the inputs that libFuzzer and AFL++ found worth keeping:
 *		corpus/NAME, one file per input.
 */
#ifndef FUZZ_CORPUS_H
#define FUZZ_CORPUS_H

#include <dirent.h>
#include <fcntl.h>
#include <stdint.h>
#include <unistd.h>

#define LARGEST_KEPT 65536

extern int	LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Returns the number of inputs; 0 if there is no such directory. */
static inline unsigned long long
replay_corpus(const char *directory)
{
	static uint8_t bytes[LARGEST_KEPT];
	DIR		   *folder = opendir(directory);
	struct dirent *entry;
	unsigned long long inputs = 0;

	while (folder != NULL && (entry = readdir(folder)) != NULL)
	{
		int			fd = openat(dirfd(folder), entry->d_name, O_RDONLY);
		ssize_t		size = read(fd, bytes, sizeof(bytes));

		close(fd);
		if (size < 0)
			continue;			/* . and .., which are directories */
		LLVMFuzzerTestOneInput(bytes, (size_t) size);
		inputs++;
	}
	if (folder != NULL)
		closedir(folder);
	return inputs;
}

#endif							/* FUZZ_CORPUS_H */
