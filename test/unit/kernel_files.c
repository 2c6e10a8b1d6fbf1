/*
 * kernel_files.c
 *		Creates files like a kernel's below a directory of the test.
 */
#include "kernel_files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

char		kernel_files_root[] = "/tmp/kernel_files.XXXXXX";

void
kernel_files_run(const char *command)
{
	char		whole[1024];

	snprintf(whole, sizeof(whole), "cd %s && %s", kernel_files_root, command);
	assert_int_equal(system(whole), 0);
}

void
kernel_files_put(const char *path, const char *text)
{
	char		command[512];

	snprintf(command, sizeof(command),
			 "mkdir -p $(dirname %s) && printf '%%b\\n' '%s' > %s", path, text,
			 path);
	kernel_files_run(command);
}

int
kernel_files_begin(void **state)
{
	(void) state;
	strcpy(kernel_files_root + strlen(kernel_files_root) - 6, "XXXXXX");
	return mkdtemp(kernel_files_root) == NULL;
}

int
kernel_files_end(void **state)
{
	(void) state;
	kernel_files_run("rm -r $PWD");
	return 0;
}
