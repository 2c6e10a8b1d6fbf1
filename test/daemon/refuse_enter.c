/*
 * refuse_enter.c
 *		Forbids io_uring in a running ssdpard, through LD_PRELOAD.
 *
 * After SIGUSR2, or from the start if REFUSE_ENTER is set, the kernel returns
 * EPERM from io_uring_enter, as if a seccomp filter or a security module had
 * been changed.  Creating a ring remains allowed.  Reports the change on
 * stderr.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static void
refuse(int signal)
{
	static const char done[] = "io_uring is forbidden now\n";
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_io_uring_enter, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {
		.len = sizeof(filter) / sizeof(filter[0]),
		.filter = filter,
	};

	(void) signal;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
		prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0 ||
		write(STDERR_FILENO, done, sizeof(done) - 1) < 0)
		abort();
}

__attribute__((constructor)) static void
prepare(void)
{
	if (getenv("REFUSE_ENTER") != NULL)
		refuse(0);
	else
		signal(SIGUSR2, refuse);
}
