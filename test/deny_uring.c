/*
 * deny_uring.c
 *		Runs a program in which io_uring_setup() fails with a chosen errno.
 *
 * Tests use it to check ssdpar's messages in containers and on old kernels
 * that have no io_uring.  Usage: deny_uring EPERM|ENOSYS|ENOMEM PROGRAM
 * [ARGUMENT]...
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static int
parse_errno(const char *name)
{
	if (strcmp(name, "EPERM") == 0)
		return EPERM;
	if (strcmp(name, "ENOSYS") == 0)
		return ENOSYS;
	if (strcmp(name, "ENOMEM") == 0)
		return ENOMEM;
	return 0;
}

/* The filter survives exec and is inherited by child processes. */
static int
install_filter(unsigned errnum)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_io_uring_setup, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | errnum),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {
		.len = sizeof(filter) / sizeof(filter[0]),
		.filter = filter,
	};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return -1;
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

int
main(int argc, char **argv)
{
	int			errnum = argc > 2 ? parse_errno(argv[1]) : 0;

	if (errnum == 0)
	{
		fputs("usage: deny_uring EPERM|ENOSYS|ENOMEM PROGRAM "
			  "[ARGUMENT]...\n",
			  stderr);
		return 2;
	}
	if (install_filter((unsigned) errnum) != 0)
	{
		perror("deny_uring: could not install the filter");
		return 77;
	}
	execvp(argv[2], &argv[2]);
	perror("deny_uring: could not run the program");
	return 127;
}
