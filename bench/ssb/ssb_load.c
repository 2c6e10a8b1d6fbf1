/*
 * ssb_load.c
 *		Coordinates the connections of a load.
 *
 * Each connection fills tables in a separate transaction, on a separate
 * thread.  The main thread waits, shows progress, handles signals, and commits
 * one connection after another when all have succeeded.
 *
 * The server cannot commit several connections' work atomically unless
 * prepared transactions are configured, which by default they are not.  So
 * connection 0 loads all dimension tables and is committed last.  If the
 * machine crashes between two commits, there are fact rows without any
 * dimension, on which every star query returns nothing, and which the next
 * load refuses; if only the commit fails, the tables are truncated.
 */
#include "ssb_load.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "ssb_progress.h"
#include "ssb_stream.h"

/* Most attempts to empty the tables, a second apart. */
#define UNDO_TRIES 10

typedef struct Load
{
	const char *conninfo;
	const SsbWork *work;
	int			nstreams;
	SsbStream	streams[SSB_MAX_JOBS];
	_Atomic int next_item;		/* of the fact table's */
	_Atomic bool stop;
	SsbProgress progress;

	pthread_mutex_t mutex;		/* protects the following */
	pthread_cond_t changed;
	int			nrunning;
	bool		failed;
	SsbError	error;			/* the first one */
} Load;

/* Passed by a stream's thread to its sink. */
typedef struct Worker
{
	Load	   *load;
	SsbStream  *stream;
	SsbTable	table;
	pthread_t	thread;
} Worker;

static volatile sig_atomic_t interrupts = 0;

/*
 * The first signal requests an orderly end.  The second one is for a server
 * that does not answer: exit immediately, which the server treats as a
 * rollback.
 */
static void
on_signal(int signo)
{
	static const char words[] =
		"\nssbload: left at once; the server rolls back\n";

	(void) signo;
	if (interrupts++ > 0)
	{
		ssize_t		ignored = write(STDERR_FILENO, words, sizeof(words) - 1);

		(void) ignored;
		_exit(130);
	}
}

bool
ssb_load_interrupted(void)
{
	return interrupts > 0;
}

static void
catch_signals(void)
{
	struct sigaction action;

	memset(&action, 0, sizeof(action));
	action.sa_handler = on_signal;
	sigemptyset(&action.sa_mask);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
}

static void
block_signals(bool block)
{
	sigset_t	set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	pthread_sigmask(block ? SIG_BLOCK : SIG_UNBLOCK, &set, NULL);
}

static bool
sink_rows(void *arg, const char *text, size_t length, uint32_t units,
		  uint64_t rows)
{
	Worker	   *worker = arg;
	Load	   *load = worker->load;
	SsbError	error;

	if (atomic_load(&load->stop))
		return false;
	if (!ssb_stream_put(worker->stream, worker->table, text, length, rows,
						&error))
	{
		pthread_mutex_lock(&load->mutex);
		if (!load->failed)
			load->error = error;
		load->failed = true;
		pthread_mutex_unlock(&load->mutex);
		return false;
	}
	atomic_fetch_add(&load->progress.units, units);
	atomic_fetch_add(&load->progress.rows, rows);
	return true;
}

/* Processes one item; *error is left empty if the sink has the reason. */
static bool
feed_item(Worker *worker, int item, SsbError *error)
{
	const SsbWork *work = worker->load->work;

	worker->table = work->items[item].table;
	return ssb_work_feed(work, &work->items[item], sink_rows, worker, error);
}

static bool
feed_items(Worker *worker, SsbError *error)
{
	Load	   *load = worker->load;
	int			item;

	for (item = 0; worker->stream == &load->streams[0] &&
		 item < load->work->ndimension_items; item++)
	{
		if (!feed_item(worker, item, error))
			return false;
	}
	while ((item = atomic_fetch_add(&load->next_item, 1)) <
		   load->work->nitems)
	{
		if (!feed_item(worker, item, error))
			return false;
	}
	return ssb_stream_finish(worker->stream, error);
}

static void *
run_worker(void *arg)
{
	Worker	   *worker = arg;
	Load	   *load = worker->load;
	SsbError	error = {""};
	bool		ok = feed_items(worker, &error);

	pthread_mutex_lock(&load->mutex);
	if (!ok)
	{
		if (!load->failed && error.text[0] != '\0')
		{
			load->error = error;
			load->failed = true;
		}
		atomic_store(&load->stop, true);
	}
	load->nrunning--;
	pthread_cond_signal(&load->changed);
	pthread_mutex_unlock(&load->mutex);
	return NULL;
}

static void
cancel_streams(Load *load)
{
	for (int i = 0; i < load->nstreams; i++)
		ssb_stream_cancel(&load->streams[i]);
}

/* Until no stream runs: shows progress, and passes on a request to stop. */
static void
wait_for_workers(Load *load)
{
	bool		cancelled = false;

	pthread_mutex_lock(&load->mutex);
	while (load->nrunning > 0)
	{
		struct timespec until;

		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_nsec += 200 * 1000 * 1000;
		until.tv_sec += until.tv_nsec / 1000000000;
		until.tv_nsec %= 1000000000;
		pthread_cond_timedwait(&load->changed, &load->mutex, &until);
		pthread_mutex_unlock(&load->mutex);
		ssb_progress_show(&load->progress);
		if (interrupts > 0)
			atomic_store(&load->stop, true);
		if (atomic_load(&load->stop) && !cancelled)
		{
			cancel_streams(load);
			cancelled = true;
		}
		pthread_mutex_lock(&load->mutex);
	}
	pthread_mutex_unlock(&load->mutex);
}

/* Starts a thread for each stream; sets *nstarted to their number. */
static bool
start_workers(Load *load, Worker *workers, int *nstarted)
{
	bool		ok = true;

	/*
	 * Only the main thread handles signals: threads inherit the blocked mask.
	 */
	block_signals(true);
	for (*nstarted = 0; *nstarted < load->nstreams && ok;)
	{
		Worker	   *worker = &workers[*nstarted];
		int			code;

		worker->load = load;
		worker->stream = &load->streams[*nstarted];
		pthread_mutex_lock(&load->mutex);
		code = pthread_create(&worker->thread, NULL, run_worker, worker);
		if (code == 0)
		{
			load->nrunning++;
			(*nstarted)++;
		}
		else
		{
			load->failed = true;
			ok = ssb_fail(&load->error, "cannot start a thread: %s; try a "
						  "smaller --jobs", strerror(code));
			atomic_store(&load->stop, true);
		}
		pthread_mutex_unlock(&load->mutex);
	}
	block_signals(false);
	return ok;
}

static bool
run_workers(Load *load, SsbError *error)
{
	Worker		workers[SSB_MAX_JOBS];
	int			nstarted;

	atomic_store(&load->next_item, load->work->ndimension_items);
	ssb_progress_start(&load->progress, load->work->total_units);
	start_workers(load, workers, &nstarted);
	wait_for_workers(load);
	for (int i = 0; i < nstarted; i++)
		pthread_join(workers[i].thread, NULL);
	ssb_progress_end(&load->progress);
	if (interrupts > 0)
		return ssb_fail(error, "interrupted; nothing was loaded");
	if (load->failed)
		return ssb_fail(error, "%.1900s; nothing was loaded",
						load->error.text);
	return true;
}

static bool
open_streams(Load *load, SsbError *error)
{
	for (int i = 0; i < load->nstreams; i++)
	{
		if (!ssb_stream_open(&load->streams[i], load->conninfo, error))
			return false;
		for (int table = 0; i == 0 && table < SSB_NTABLES; table++)
		{
			if (load->work->wanted[table] &&
				!ssb_stream_claim(&load->streams[0], (SsbTable) table, error))
				return false;
		}
	}
	return true;
}

static void
close_streams(Load *load)
{
	for (int i = 0; i < load->nstreams; i++)
		ssb_stream_close(&load->streams[i]);
}

/* Some commits may have happened: empty the tables. */
static bool
undo_commits(Load *load, const SsbError *reason, SsbError *error)
{
	SsbError	undo_error;

	close_streams(load);
	for (int try = 0; try < UNDO_TRIES; try++)
	{
		if (try > 0)
			sleep(1);
		if (ssb_truncate(load->conninfo, load->work->wanted, &undo_error))
			return ssb_fail(error, "%.900s; the tables were emptied again, "
							"nothing is loaded", reason->text);
	}
	return ssb_fail(error, "%.900s; part of the rows may be loaded and could "
					"not be removed (%.900s): TRUNCATE the benchmark's "
					"tables before the next load", reason->text,
					undo_error.text);
}

/* Last to first, because the dimensions come last, see above. */
static bool
commit_streams(Load *load, SsbError *error)
{
	for (int i = load->nstreams - 1; i >= 0; i--)
	{
		SsbError	reason;

		if (ssb_stream_commit(&load->streams[i], &reason))
			continue;
		if (i == load->nstreams - 1 && !ssb_stream_lost(&load->streams[i]))
			return ssb_fail(error, "%.1900s; nothing was loaded",
							reason.text);
		return undo_commits(load, &reason, error);
	}
	return true;
}

static void
sum_rows(const Load *load, SsbLoaded *loaded)
{
	memset(loaded, 0, sizeof(*loaded));
	for (int i = 0; i < load->nstreams; i++)
	{
		for (int table = 0; table < SSB_NTABLES; table++)
			loaded->rows[table] += load->streams[i].rows[table];
	}
	loaded->seconds = ssb_progress_seconds(&load->progress);
}

static bool
load_tables(Load *load, SsbLoaded *loaded, SsbError *error)
{
	bool		ok;

	if (!open_streams(load, error))
		return false;
	catch_signals();
	if (!run_workers(load, error))
		return false;
	/* From here on, an interruption would do harm. */
	block_signals(true);
	ok = commit_streams(load, error);
	sum_rows(load, loaded);
	return ok;
}

bool
ssb_load(const char *conninfo, const SsbWork *work, int jobs,
		 SsbLoaded *loaded, SsbError *error)
{
	int			fact_items = work->nitems - work->ndimension_items;
	Load	   *load = calloc(1, sizeof(Load));
	bool		ok;

	if (load == NULL)
		return ssb_fail(error, "out of memory");
	load->conninfo = conninfo;
	load->work = work;
	load->nstreams = jobs < fact_items ? jobs : fact_items;
	if (load->nstreams < 1)
		load->nstreams = 1;
	pthread_mutex_init(&load->mutex, NULL);
	pthread_cond_init(&load->changed, NULL);
	ok = load_tables(load, loaded, error);
	close_streams(load);
	pthread_cond_destroy(&load->changed);
	pthread_mutex_destroy(&load->mutex);
	free(load);
	return ok;
}
