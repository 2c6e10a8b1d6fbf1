/*
 * kernel_files.h
 *		Files as a kernel has them, below a directory of the test's own: for
 *		modules that take a root in whose place a server has "".
 */
#ifndef KERNEL_FILES_H
#define KERNEL_FILES_H

/* The directory, while a test runs between begin and end. */
extern char kernel_files_root[];

/* A test's setup and teardown (cmocka). */
extern int	kernel_files_begin(void **state);
extern int	kernel_files_end(void **state);

/* Runs a command of the shell in the directory, which must succeed. */
extern void kernel_files_run(const char *command);

/* Makes the file at PATH, relative, of TEXT, whose "\n" are line ends. */
extern void kernel_files_put(const char *path, const char *text);

#endif							/* KERNEL_FILES_H */
