/*
 * supervisor.c
 *		Starts the prefetch daemon with the server, and restarts it when it
 *		dies.
 *
 * This is a background worker, but never the daemon itself: a crash of a
 * background worker restarts the whole server, and the daemon must not be able
 * to cause that.  It uses no database, and tells in shared memory whether the
 * daemon is there.
 *
 *		starting -> running -> (daemon dies) -> backing off -> starting
 *		starting -> (no program) -> resting until a reload
 *
 * A daemon that has run for a second is restarted immediately when it dies.
 * One that dies sooner is restarted immediately only the first time.  Then the
 * supervisor waits for a tenth of a second, and twice as long before each
 * further start, but at most ten seconds.
 *
 * The daemon ends with the supervisor, so with the server, however that ends:
 * it holds one end of a pipe whose other end only the supervisor has, and the
 * kernel closes that.  PR_SET_PDEATHSIG does the same sooner, but is reset if
 * the program has capabilities, and may be set too late.
 *
 * A daemon that was stopped by SIGSTOP notices none of that and could stay
 * forever.  Therefore it runs in a separate process group, which becomes
 * orphaned when the supervisor is gone, so that the kernel sends it SIGHUP and
 * SIGCONT (setpgid(2)).
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
#include "base/settings.h"
#include "prefetch/daemon_socket.h"
#include "prefetch/supervisor.h"

#define FIRST_DELAY_MS 100
#define LAST_DELAY_MS 10000
/* A daemon that has lived this long has started successfully. */
#define GOOD_LIFE_MS 1000
/* The daemon's default and maximum number of sessions. */
#define USUAL_SESSIONS 1000
#define MOST_SESSIONS 10000
/* Time for the daemon to end before it is killed. */
#define END_MS 5000

PGDLLEXPORT void ssdpar_supervisor_main(Datum arg);

typedef struct Supervisor
{
	char		program[MAXPGPATH];
	char		socket_option[MAXPGPATH * 2];	/* the daemon's */
	pid_t		daemon;			/* 0: not running */
	int			restarts;
	int			pipe[2];		/* the daemon reads it, and only sees its
								 * closing */
	int			delay_ms;		/* before the next start */
	int			early_deaths;	/* in a row */
	int64		started;		/* us, monotonic */
	bool		resting;		/* nothing to start until a reload */
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
 * Closes all descriptors except the standard three, which include the server's
 * log: no file of a table, no client socket and no pipe of the server may be
 * inherited by the daemon.  Without close_range() (before Linux 5.9), close
 * them one by one; with a limit in the millions, as containers set it, this
 * takes seconds.
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
 * The child between fork and exec; never returns.
 *
 * Until execv() it is a copy of the supervisor, with its handlers, its latch
 * and the server's shared memory mapped.  So it exits only through _exit(),
 * which does not run the server's exit callbacks, and calls only what is safe
 * after fork: no allocation, no ereport.  execv() unmaps the shared memory.
 *
 * An inherited handler would run in the child and set the latch that it
 * shares, and the signal would be lost.  Therefore all signals are blocked
 * from before the fork until no handler is left.  Ignored signals and the mask
 * are inherited by the new program, which would then never receive SIGTERM, so
 * they are reset.  Only SIGHUP stays blocked until the daemon reads it,
 * because a reload right after the start must not end it.
 *
 * The parent may have died between fork and prctl, in which case no signal
 * comes, so getppid() is checked afterwards.
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
 * The daemon needs an absolute path, whose length the kernel limits, whereas a
 * session in the data directory may use a relative one.
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
 * An invalid program or path is reported once, and then the supervisor rests,
 * because only a reload can fix it.  A failure of fork() may be temporary, so
 * the main loop retries.
 *
 * The environment passes what is not an option: the number of restarts, for
 * ssdpar.daemon_status().
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
	/* sessions that have prefetched stay connected while they are idle */
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
	ssdpar_daemon_note(true);
	ereport(LOG,
			(errmsg("started the prefetch daemon with process ID %d",
					(int) self.daemon)));
}

/*
 * Has the daemon ended?  If so, reports it and determines when to restart it.
 *
 * SIGCHLD only sets the latch: it tells that some child changed, may be sent
 * once for several changes, and may come for a child that was stopped.  So the
 * state of this child is queried here, without waiting.
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
	ssdpar_daemon_note(false);
}

/* SIGTERM can be sent to a stopped daemon, but it must run to obey. */
static void
tell_daemon_to_end(void)
{
	kill(self.daemon, SIGTERM);
	kill(self.daemon, SIGCONT);
}

/*
 * Only the supervisor can tell the daemon of a reload.  If the socket's path
 * has changed, the daemon is ended, and another one starts there.
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
 * Sleeps for ms (-1: until an event).  A reload may have fixed the reason why
 * the daemon could not be started.
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
 * Waits before a restart, unless told to end.  Other events that set the latch
 * meanwhile, such as a reload, do not shorten the wait.
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
 * At the end of the server: lets the daemon finish, but not forever.  Even
 * SIGKILL waits for a device that hangs, or for a frozen control group to be
 * thawed, but the end of the server must not.
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
 * Main function of the worker, which keeps the daemon running until the server
 * ends.
 *
 * The program must be in the directory of the server's programs, independent
 * of PATH: it is installed there, and only users who can write there can
 * choose what the server runs.
 *
 * Variables that systemd passed to the server are removed for the daemon,
 * which would otherwise use them: it would report readiness in the server's
 * name, and take over the server's sockets.
 */
void
ssdpar_supervisor_main(Datum arg)
{
	char	   *slash;

	pqsignal(SIGTERM, SignalHandlerForShutdownRequest);
	pqsignal(SIGHUP, SignalHandlerForConfigReload);
	pqsignal(SIGCHLD, child_ended);
	BackgroundWorkerUnblockSignals();
	ssdpar_daemon_note(false);	/* that of a supervisor before has ended */
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
			/* back_off() has reset the latch that announced the shutdown */
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
