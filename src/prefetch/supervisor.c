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
#include "storage/ipc.h"
#include "storage/latch.h"
#include "utils/guc.h"
#include "utils/timestamp.h"

#include "compat.h"
#include "prefetch/supervisor.h"
#include "settings.h"

#define FIRST_DELAY_MS 100
#define LAST_DELAY_MS 10000
/* A daemon that has lived so long has started well. */
#define GOOD_LIFE_MS 1000
/* How long the daemon may take to end before it is killed. */
#define END_MS 5000

PGDLLEXPORT void ssdpar_supervisor_main(Datum arg);

typedef struct Supervisor
{
	char		program[MAXPGPATH];
	pid_t		daemon;			/* 0: not running */
	int			restarts;
	int			pipe[2];		/* the daemon reads, nobody writes */
	int			delay_ms;		/* before the next start */
	int			early_deaths;	/* in a row */
	TimestampTz started;
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
 * In the child: close all but the standard three, the server's log among them.
 * Only what is safe after fork is called.
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

static void
reset_signals(void)
{
	sigset_t	none;

	for (int number = 1; number < NSIG; number++)
		signal(number, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* What the child does between fork and exec; never returns. */
static void
become_daemon(pid_t parent, char *const arguments[])
{
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	reset_signals();
	if (getppid() != parent)
		_exit(0);				/* it died before prctl */
	dup2(self.pipe[0], STDIN_FILENO);	/* --parent-fd */
	dup2(STDERR_FILENO, STDOUT_FILENO);
	close_descriptors();
	execv(arguments[0], arguments);
	_exit(127);
}

static bool
program_is_there(void)
{
	if (access(self.program, X_OK) == 0)
		return true;
	ereport(LOG,
			(errmsg("could not find the prefetch daemon \"%s\": %m",
					self.program),
			 errdetail("Queries run without prefetching."),
			 errhint("Install ssdpard there and reload the configuration, or set ssdpar.daemon_autostart to off.")));
	self.resting = true;
	return false;
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

static void
start_daemon(void)
{
	char		socket_option[MAXPGPATH * 2];
	char		restarts[16];
	char	   *arguments[] = {self.program, socket_option, "--parent-fd=0",
		NULL};
	pid_t		parent = MyProcPid;

	if (!program_is_there() ||
		!make_socket_option(socket_option, sizeof(socket_option)))
		return;
	snprintf(restarts, sizeof(restarts), "%d", self.restarts);
	setenv("SSDPARD_RESTARTS", restarts, 1);
	self.daemon = fork();
	if (self.daemon == 0)
		become_daemon(parent, arguments);
	if (self.daemon < 0)
	{
		self.daemon = 0;
		ereport(LOG, (errmsg("could not start the prefetch daemon: %m")));
		return;
	}
	self.started = GetCurrentTimestamp();
	ereport(LOG,
			(errmsg("started the prefetch daemon with process ID %d",
					(int) self.daemon)));
}

static void
tell_end(int status)
{
	if (WIFSIGNALED(status))
		ereport(LOG,
				(errmsg("the prefetch daemon (process %d) was ended by signal %d, starting it again in %d ms",
						(int) self.daemon, WTERMSIG(status), self.delay_ms)));
	else
		ereport(LOG,
				(errmsg("the prefetch daemon (process %d) ended with exit code %d, starting it again in %d ms",
						(int) self.daemon, WEXITSTATUS(status),
						self.delay_ms)));
}

/* How long to wait after so many early deaths in a row. */
static int
delay_after(int early_deaths)
{
	int			delay = FIRST_DELAY_MS;

	if (early_deaths <= 1)
		return 0;
	while (--early_deaths > 1 && delay < LAST_DELAY_MS)
		delay *= 2;
	return Min(delay, LAST_DELAY_MS);
}

/* Has the daemon ended?  Then say so, and when it is to be started again. */
static void
reap_daemon(void)
{
	int			status;

	if (self.daemon == 0 ||
		waitpid(self.daemon, &status, WNOHANG) != self.daemon)
		return;
	if (TimestampDifferenceExceeds(self.started, GetCurrentTimestamp(),
								   GOOD_LIFE_MS))
		self.early_deaths = 0;
	else
		self.early_deaths++;
	self.delay_ms = delay_after(self.early_deaths);
	if (!ShutdownRequestPending)
		tell_end(status);
	self.daemon = 0;
	self.restarts++;
}

/* Sleep so long (-1: until something happens). */
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
		if (self.daemon != 0)
			kill(self.daemon, SIGHUP);
	}
}

/* Wait before a restart, unless told to end. */
static void
back_off(void)
{
	TimestampTz until = TimestampTzPlusMilliseconds(GetCurrentTimestamp(),
													self.delay_ms);

	while (!ShutdownRequestPending)
	{
		TimestampTz now = GetCurrentTimestamp();
		long		left = TimestampDifferenceMilliseconds(now, until);

		if (left <= 0)
			return;
		rest(left);
	}
}

/* At the end of the server: let the daemon finish, but not for ever. */
static void
stop_daemon(void)
{
	int			status;

	if (self.daemon == 0)
		return;
	kill(self.daemon, SIGTERM);
	for (int waited = 0; waited < END_MS; waited += 10)
	{
		if (waitpid(self.daemon, &status, WNOHANG) == self.daemon)
			return;
		pg_usleep(10000);
	}
	ereport(LOG,
			(errmsg("the prefetch daemon (process %d) did not end within %d seconds, killing it",
					(int) self.daemon, END_MS / 1000)));
	kill(self.daemon, SIGKILL);
	waitpid(self.daemon, &status, 0);
}

static void
find_program(void)
{
	char	   *slash;

	strlcpy(self.program, my_exec_path, sizeof(self.program));
	slash = strrchr(self.program, '/');
	if (slash == NULL)
		slash = self.program;
	else
		slash++;
	strlcpy(slash, "ssdpard", sizeof(self.program) - (slash - self.program));
}

void
ssdpar_supervisor_main(Datum arg)
{
	pqsignal(SIGTERM, SignalHandlerForShutdownRequest);
	pqsignal(SIGHUP, SignalHandlerForConfigReload);
	pqsignal(SIGCHLD, child_ended);
	BackgroundWorkerUnblockSignals();
	/* These are between systemd and the server. */
	unsetenv("NOTIFY_SOCKET");
	unsetenv("LISTEN_PID");
	unsetenv("LISTEN_FDS");
	find_program();
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
			if (!ShutdownRequestPending)
				start_daemon();
		}
		rest(self.daemon == 0 && !self.resting ? LAST_DELAY_MS : -1);
		reap_daemon();
	}
	stop_daemon();
	proc_exit(0);
}
