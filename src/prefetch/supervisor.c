/*
 * supervisor.c
 *		Starts the prefetch daemon with the server, and again when it dies.
 *
 * A background worker that is never the daemon itself: a background worker
 * that crashes takes the whole server down for a moment, and the daemon shall
 * not be able to.  It touches no shared memory and no database.
 *
 *		starting -> running -> (daemon dies) -> backing off -> starting
 *		starting -> (no program) -> resting until a reload
 *
 * A daemon that has run for a second is started again at once when it dies.
 * One that dies sooner is so the first time only; then it waits a tenth of a
 * second, twice as long before each next start, and ten seconds at most.
 *
 * The daemon ends with the supervisor, so with the server, whatever way that
 * ends: it holds one end of a pipe whose other end is the supervisor's alone,
 * and the kernel closes that.  PR_SET_PDEATHSIG does the same sooner, but is
 * forgotten when the program has capabilities of its own, or starts late.
 *
 * One that SIGSTOP has stopped hears none of that, and could stay for ever.  In
 * a process group of its own, which has no parent left in its session when the
 * supervisor is gone, the kernel sends it SIGHUP and SIGCONT then (setpgid(2)).
 */
#include "postgres.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libpq/pqsignal.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "postmaster/bgworker.h"
#include "postmaster/interrupt.h"
#include "postmaster/postmaster.h"
#include "storage/ipc.h"
#include "storage/latch.h"
#include "utils/guc.h"

#include "base/compat.h"
#include "base/elapsed.h"
#include "prefetch/supervisor.h"
#include "base/settings.h"

#define FIRST_DELAY_MS 100
#define LAST_DELAY_MS 10000
/* A daemon that has lived so long has started well. */
#define GOOD_LIFE_MS 1000
/* The daemon's default for sessions at a time, and the most that it takes. */
#define USUAL_SESSIONS 1000
#define MOST_SESSIONS 10000
/* How long the daemon may take to end before it is killed. */
#define END_MS 5000

PGDLLEXPORT void ssdpar_supervisor_main(Datum arg);

typedef struct Supervisor
{
	char		program[MAXPGPATH];
	char		socket_option[MAXPGPATH * 2];	/* the daemon's */
	pid_t		daemon;			/* 0: not running */
	int			restarts;
	int			pipe[2];		/* the daemon reads, and sees only its end */
	int			delay_ms;		/* before the next start */
	int			early_deaths;	/* in a row */
	int64		started;		/* us, monotonic */
	bool		resting;		/* nothing to start before a reload */
} Supervisor;

static Supervisor self;
static uint32 wait_event = 0;

void
ssdpar_register_supervisor(void)
{
	BackgroundWorker worker = {0};

	if (!process_shared_preload_libraries_in_progress ||
		!ssdpar_daemon_autostart)
		return;
	strlcpy(worker.bgw_name, "ssdpar supervisor", BGW_MAXLEN);
	strlcpy(worker.bgw_type, "ssdpar supervisor", BGW_MAXLEN);
	strlcpy(worker.bgw_library_name, "ssdpar", BGW_MAXLEN);
	strlcpy(worker.bgw_function_name, "ssdpar_supervisor_main", BGW_MAXLEN);
	worker.bgw_flags = BGWORKER_SHMEM_ACCESS;
	worker.bgw_start_time = BgWorkerStart_PostmasterStart;
	worker.bgw_restart_time = 10;
	RegisterBackgroundWorker(&worker);
}

static void
child_ended(SIGNAL_ARGS)
{
	int			save_errno = errno;

	SetLatch(MyLatch);
	errno = save_errno;
}

/*
 * Close all but the standard three, the server's log among them: no file of a
 * table, no socket of a client and no pipe of the server's must live on in the
 * daemon.  Where the kernel has no close_range() (before 5.9), one by one; a
 * limit in the millions, as containers set it, would take seconds that way.
 */
static void
close_descriptors(void)
{
	long		last = sysconf(_SC_OPEN_MAX);

#ifdef SYS_close_range
	if (syscall(SYS_close_range, 3, ~0U, 0) == 0)
		return;
#endif
	if (last < 0 || last > 65536)
		last = 65536;
	for (int fd = 3; fd < last; fd++)
		close(fd);
}

/*
 * What the child does between fork and exec; never returns.
 *
 * Until execv() it is a copy of the supervisor, with its handlers, its latch
 * and the server's shared memory mapped.  So it leaves by _exit() alone, which
 * runs none of the server's exit callbacks, and calls only what is safe after
 * fork: no allocation, no ereport.  execv() unmaps the shared memory.
 *
 * A handler left in place would run in the child and set the latch that it
 * shares, and the signal would be lost: so all are blocked since before the
 * fork, until no handler is left.  Ignored signals and the mask are inherited
 * by the new program, which would then never hear SIGTERM.  SIGHUP alone stays
 * blocked until the daemon reads it: a reload may come right after the start,
 * and must not end it.
 *
 * The parent may have died between fork and prctl, and then no signal comes:
 * hence the look at getppid(), after that.
 */
static void
become_daemon(pid_t parent, char *const arguments[])
{
	sigset_t	reload;

	prctl(PR_SET_PDEATHSIG, SIGTERM);
	setpgid(0, 0);
	for (int number = 1; number < NSIG; number++)
		signal(number, SIG_DFL);
	sigemptyset(&reload);
	sigaddset(&reload, SIGHUP);
	sigprocmask(SIG_SETMASK, &reload, NULL);
	if (getppid() != parent)
		_exit(0);
	dup2(self.pipe[0], STDIN_FILENO);	/* --parent-fd */
	dup2(STDERR_FILENO, STDOUT_FILENO);
	close_descriptors();
	Assert(fcntl(self.pipe[1], F_GETFD) < 0);
	Assert(fcntl(postmaster_alive_fds[POSTMASTER_FD_WATCH], F_GETFD) < 0);
	execv(arguments[0], arguments);
	_exit(127);
}

/*
 * The daemon wants a whole path, whose length the kernel limits; a session in
 * the data directory may use a relative one.
 */
static bool
make_socket_option(char *option, size_t size)
{
	static const char prefix[] = "--socket=";
	struct sockaddr_un address;
	int			length;

	if (is_absolute_path(ssdpar_daemon_socket))
		length = snprintf(option, size, "%s%s", prefix, ssdpar_daemon_socket);
	else
		length = snprintf(option, size, "%s%s/%s", prefix, DataDir,
						  ssdpar_daemon_socket);
	if (length < (int) (sizeof(prefix) - 1 + sizeof(address.sun_path)))
		return true;
	ereport(LOG,
			(errmsg("could not start the prefetch daemon: its socket's path is longer than %d bytes",
					(int) sizeof(address.sun_path) - 1),
			 errdetail("Queries run without prefetching."),
			 errhint("Set ssdpar.daemon_socket to a shorter absolute path and reload the configuration.")));
	self.resting = true;
	return false;
}

/*
 * A program or a path that is not as it must be is told once and rested upon:
 * only a reload can mend it.  That fork() fails may be over in a moment, so it
 * is tried again by the main loop.
 *
 * The environment carries what is no option: how often the daemon was started
 * before, for ssdpar.daemon_status().
 */
static void
start_daemon(void)
{
	char		restarts[16];
	char		sessions[32];
	char	   *arguments[] = {self.program, self.socket_option, sessions,
	"--parent-fd=0", NULL};
	pid_t		parent = MyProcPid;
	sigset_t	all;
	sigset_t	ours;

	if (access(self.program, X_OK) != 0)
	{
		ereport(LOG,
				(errmsg("could not find the prefetch daemon \"%s\": %m",
						self.program),
				 errdetail("Queries run without prefetching."),
				 errhint("Install ssdpard there and reload the configuration, or set ssdpar.daemon_autostart to off.")));
		self.resting = true;
		return;
	}
	if (!make_socket_option(self.socket_option, sizeof(self.socket_option)))
		return;
	/* sessions that have prefetched stay connected, as long as they are idle */
	snprintf(sessions, sizeof(sessions), "--max_sessions=%d",
			 Min(Max(MaxBackends, USUAL_SESSIONS), MOST_SESSIONS));
	snprintf(restarts, sizeof(restarts), "%d", self.restarts);
	setenv("SSDPARD_RESTARTS", restarts, 1);
	Assert((fcntl(self.pipe[1], F_GETFD) & FD_CLOEXEC) != 0);
	Assert(InterruptHoldoffCount == 0 && !OidIsValid(MyDatabaseId));
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &ours);
	self.daemon = fork();
	if (self.daemon == 0)
		become_daemon(parent, arguments);
	sigprocmask(SIG_SETMASK, &ours, NULL);
	if (self.daemon < 0)
	{
		self.daemon = 0;
		ereport(LOG, (errmsg("could not start the prefetch daemon: %m")));
		return;
	}
	self.started = ssdpar_monotonic_us();
	ereport(LOG,
			(errmsg("started the prefetch daemon with process ID %d",
					(int) self.daemon)));
}

/*
 * Has the daemon ended?  Then say so, and when it is to be started again.
 *
 * SIGCHLD only sets the latch: it says that some child changed, once for
 * several, and may come for a child that stopped.  What happened is asked for
 * here, of this one child, and without waiting.
 */
static void
reap_daemon(void)
{
	int			status;

	if (self.daemon == 0 ||
		waitpid(self.daemon, &status, WNOHANG) != self.daemon)
		return;
	if (ssdpar_monotonic_us() - self.started >= GOOD_LIFE_MS * INT64CONST(1000))
		self.early_deaths = 0;
	else
		self.early_deaths++;
	self.delay_ms = self.early_deaths <= 1 ? 0 : FIRST_DELAY_MS;
	for (int i = 2; i < self.early_deaths && self.delay_ms < LAST_DELAY_MS; i++)
		self.delay_ms = Min(self.delay_ms * 2, LAST_DELAY_MS);
	if (!ShutdownRequestPending && WIFSIGNALED(status))
		ereport(LOG,
				(errmsg("the prefetch daemon (process %d) was ended by signal %d, starting it again in %d ms",
						(int) self.daemon, WTERMSIG(status), self.delay_ms)));
	else if (!ShutdownRequestPending)
		ereport(LOG,
				(errmsg("the prefetch daemon (process %d) ended with exit code %d, starting it again in %d ms",
						(int) self.daemon, WEXITSTATUS(status),
						self.delay_ms)));
	self.daemon = 0;
	self.restarts++;
}

/* It need not run for SIGTERM to be sent, but to obey it. */
static void
tell_daemon_to_end(void)
{
	kill(self.daemon, SIGTERM);
	kill(self.daemon, SIGCONT);
}

/*
 * The daemon has no other way to hear of a reload.  Where sessions are to look
 * for it in another place, it ends, and another one begins there.
 */
static void
reload_daemon(void)
{
	char		option[sizeof(self.socket_option)];

	if (self.daemon == 0)
		return;
	if (make_socket_option(option, sizeof(option)) &&
		strcmp(option, self.socket_option) == 0)
		kill(self.daemon, SIGHUP);
	else
		tell_daemon_to_end();
}

/*
 * Sleep for ms (-1: until something happens).  At a reload whatever kept the
 * daemon from being started may have been mended.
 */
static void
rest(long ms)
{
	int			events = WL_LATCH_SET | WL_EXIT_ON_PM_DEATH;

	if (ms >= 0)
		events |= WL_TIMEOUT;
	WaitLatch(MyLatch, events, ms,
			  ssdpar_wait_event(&wait_event, "SsdparSupervisor"));
	ResetLatch(MyLatch);
	if (ConfigReloadPending)
	{
		ConfigReloadPending = false;
		ProcessConfigFile(PGC_SIGHUP);
		self.resting = false;
		reload_daemon();
	}
}

/*
 * Wait before a restart, unless told to end.  The latch is set for other
 * reasons meanwhile, as by a reload: none of them makes the wait shorter.
 */
static void
back_off(void)
{
	int64		until = ssdpar_monotonic_us() +
		self.delay_ms * INT64CONST(1000);

	while (!ShutdownRequestPending)
	{
		int64		left = until - ssdpar_monotonic_us();

		if (left <= 0)
			return;
		rest((long) (left / 1000) + 1);
	}
}

static bool
daemon_ends_in_time(void)
{
	int			status;

	for (int waited = 0; waited < END_MS; waited += 10)
	{
		if (waitpid(self.daemon, &status, WNOHANG) == self.daemon)
			return true;
		pg_usleep(10000);
	}
	return false;
}

/*
 * At the end of the server: let the daemon finish, but not for ever.  Even
 * SIGKILL waits for a device that hangs, or for the control group to be let go
 * on; the server's end does not.
 */
static void
stop_daemon(void)
{
	if (self.daemon == 0)
		return;
	tell_daemon_to_end();
	if (daemon_ends_in_time())
		return;
	ereport(LOG,
			(errmsg("the prefetch daemon (process %d) did not end within %d seconds, killing it",
					(int) self.daemon, END_MS / 1000)));
	kill(self.daemon, SIGKILL);
	if (daemon_ends_in_time())
		return;
	ereport(LOG,
			(errmsg("the prefetch daemon (process %d) was killed but has not ended",
					(int) self.daemon),
			 errdetail("It ends as soon as the system lets it."),
			 errhint("See whether a device hangs, or its control group is frozen.")));
}

/*
 * The worker: the daemon is kept running until the server ends.
 *
 * The program lies beside the server's, whatever PATH says: that is where it
 * is installed, and only who may write there chooses what the server runs.
 *
 * What systemd gave to the server it did not give to the daemon, which would
 * take the variables as meant for itself: it would report to be ready in the
 * server's name, and take the server's sockets for its own.
 */
void
ssdpar_supervisor_main(Datum arg)
{
	char	   *slash;

	pqsignal(SIGTERM, SignalHandlerForShutdownRequest);
	pqsignal(SIGHUP, SignalHandlerForConfigReload);
	pqsignal(SIGCHLD, child_ended);
	BackgroundWorkerUnblockSignals();
	unsetenv("NOTIFY_SOCKET");
	unsetenv("LISTEN_PID");
	unsetenv("LISTEN_FDS");
	strlcpy(self.program, my_exec_path, sizeof(self.program));
	slash = strrchr(self.program, '/');
	slash = slash == NULL ? self.program : slash + 1;
	strlcpy(slash, "ssdpard", sizeof(self.program) - (slash - self.program));
	if (pipe2(self.pipe, O_CLOEXEC) != 0)
		ereport(FATAL,
				(errcode_for_file_access(),
				 errmsg("could not make a pipe to the prefetch daemon: %m"),
				 errhint("Raise the limit for open files of the server.")));
	while (!ShutdownRequestPending)
	{
		if (self.daemon == 0 && !self.resting)
		{
			if (self.restarts > 0)
				back_off();
			/* the latch that told of it was reset there */
			if (ShutdownRequestPending)
				break;
			start_daemon();
		}
		rest(self.daemon == 0 && !self.resting ? LAST_DELAY_MS : -1);
		reap_daemon();
	}
	stop_daemon();
	proc_exit(0);
}
