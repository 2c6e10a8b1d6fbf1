/*
 * kernel_files.h
 *		Creates files like a kernel's below a directory of the test, for
 *		modules that take a root, which is "" in a server.
 */
#ifndef KERNEL_FILES_H
#define KERNEL_FILES_H

/* The directory, while a test runs between begin and end. */
extern char kernel_files_root[];

/* A test's setup and teardown (cmocka). */
extern int	kernel_files_begin(void **state);
extern int	kernel_files_end(void **state);

/* Runs a shell command in the directory, which must succeed. */
extern void kernel_files_run(const char *command);

/*
 * Creates the file at the relative PATH from TEXT, in which "\n" ends lines.
 */
extern void kernel_files_put(const char *path, const char *text);

#endif							/* KERNEL_FILES_H */
