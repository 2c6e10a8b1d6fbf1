/*
 * probe.h
 *		The measuring engine for the device of a directory.
 *
 * ssdpar_probe_run() creates an unnamed scratch file in a directory, reads it
 * with io_uring and O_DIRECT at every combination of pattern, request size and
 * queue depth, and returns the number of requests per second and their
 * latency.  It is called by ssdpar-probe and by ssdpar.calibrate().
 *
 * The engine does not depend on PostgreSQL, prints nothing, and has no global
 * state.  It leaves no file, descriptor or memory behind, however it ends,
 * except a range of addresses without memory if a device hangs.  It must not
 * be left by longjmp: the callbacks must return.
 */
#ifndef SSDPAR_PROBE_H
#define SSDPAR_PROBE_H

#include <stdbool.h>
#include <stdint.h>

/* Version of the engine, stored with every profile. */
#define SSDPAR_PROBE_VERSION "1.0"

/*
 * Limits.  A run uses at most the memory of 256 requests of 1 MB; a file below
 * 16 MB fits into the cache of many devices.
 */
#define PROBE_MAX_SIZES 16
#define PROBE_MAX_DEPTHS 16
#define PROBE_MAX_PASSES 16
#define PROBE_MAX_DEPTH 256
#define PROBE_MIN_SIZE (4 * 1024)	/* bytes; sizes are multiples of it */
#define PROBE_MAX_SIZE (1024 * 1024)
#define PROBE_MIN_FILE ((int64_t) 16 << 20) /* bytes */
#define PROBE_MAX_FILE ((int64_t) 1 << 30)

/*
 * If there is no room for the requested file, a smaller one is used, but not
 * below this, because a cache would hold most of it.
 */
#define PROBE_FALLBACK_FILE ((int64_t) 64 << 20)

#define PROBE_MIN_SECONDS 0.1
#define PROBE_MAX_SECONDS 3600.0

/*
 * Several sequential readers of separate parts, each with one request at a
 * time.
 */
#define PROBE_STREAM_POINTS 4
#define PROBE_STREAM_SIZE (256 * 1024)
#define PROBE_MAX_STREAMS 8

typedef enum ProbeOperation
{
	PROBE_READ,
	PROBE_WRITE,
} ProbeOperation;

typedef enum ProbePattern
{
	PROBE_RANDOM,
	PROBE_SEQUENTIAL,			/* one stream */
	PROBE_STREAMS,				/* their number is the depth */
} ProbePattern;

/*
 * What to measure.  Start with ssdpar_probe_default_options().  The type of
 * sizes holds any value a user may request, so that a refusal can show it.
 */
typedef struct ProbeOptions
{
	int			nsizes;
	int64_t		sizes[PROBE_MAX_SIZES]; /* bytes, ascending, no repeats */
	int			ndepths;
	int			depths[PROBE_MAX_DEPTHS];	/* ascending, no repeats */
	bool		writes;			/* measure writes as well as reads */
	bool		streams;		/* measure several sequential reads at once */
	int			passes;			/* number of measurements of every point */
	double		seconds;		/* whole run, scratch file included */
	int64_t		file_size;		/* bytes; less is used if there is no room */
} ProbeOptions;

/* One measured point: the median of its passes. */
typedef struct ProbePoint
{
	ProbeOperation operation;
	ProbePattern pattern;
	uint32_t	request_size;	/* bytes */
	int			queue_depth;
	double		iops;			/* requests a second */
	double		bytes_per_second;	/* iops * request_size */
	double		latency_p50;	/* microseconds */
	double		latency_p99;	/* microseconds */
	double		spread;			/* (max - min) / median of the passes' iops */
	int			passes;
} ProbePoint;

/* The device of the directory.  Empty strings and -1 mean "unknown". */
typedef struct ProbeDevice
{
	unsigned	dev_major;
	unsigned	dev_minor;
	char		disk[64];
	char		model[128];
	char		serial[128];
	char		wwid[256];
	int64_t		size_bytes;
	int			rotational;
	int			read_ahead_kb;
	int64_t		physical_block; /* bytes written at once */
	int64_t		stripe;			/* preferred request in bytes; 0: none */
	int64_t		partition_start;	/* bytes before a partition */
	int64_t		discard_limit;	/* bytes per discard; 0: not supported */
	char		file_system[32];
	char		fs_id[40];
	char		identity[768];	/* one line; equal on the same device only */
} ProbeDevice;

typedef struct ProbeResult
{
	ProbeDevice device;
	ProbePoint *points;			/* owned: ssdpar_probe_free() */
	int			npoints;
	ProbePoint *streams;		/* by number of streams; in the same memory */
	int			nstreams;
	double		fill_seconds;	/* spent writing the scratch file */
	double		seconds;		/* the whole run */
	uint64_t	file_size;
} ProbeResult;

typedef enum ProbeErrorKind
{
	PROBE_OK,
	PROBE_BAD_OPTION,			/* the caller requested something impossible */
	PROBE_BAD_PLACE,			/* the directory cannot be used */
	PROBE_NO_ACCESS,			/* no permission */
	PROBE_NO_SPACE,				/* too little room on the file system */
	PROBE_NO_MEMORY,			/* memory or another limit exhausted */
	PROBE_NOT_SUPPORTED,		/* no io_uring, no direct I/O, no device */
	PROBE_IO_FAILED,			/* an error of the device or file system */
	PROBE_TOO_SLOW,				/* did not end within the time limit */
	PROBE_CANCELLED,			/* keep_going() returned false */
} ProbeErrorKind;

/* One error: what happened, what it means, what to do. */
typedef struct ProbeError
{
	ProbeErrorKind kind;
	char		message[640];
	char		detail[512];
	char		hint[512];
} ProbeError;

/*
 * keep_going() is called at least every 100 ms; false ends the run as
 * PROBE_CANCELLED, with every request reaped unless the device hangs.
 * progress() gets the completed fraction, 0 to 1, at most ten times a second.
 * reserved() is called once with the size of the scratch file, before anything
 * is written.  Any may be NULL.
 */
typedef struct ProbeCallbacks
{
	bool		(*keep_going) (void *arg);
	void		(*progress) (void *arg, const char *stage, double share);
	void		(*reserved) (void *arg, uint64_t file_size);
	void	   *arg;
} ProbeCallbacks;

/*
 * engine.c: runs the sweep that OPTIONS requests on the device of DIRECTORY.
 * CALLBACKS may be NULL.  RESULT must be freed by ssdpar_probe_free().  On
 * failure, returns false with ERROR set, and RESULT needs no freeing.
 */
extern bool ssdpar_probe_run(const char *directory,
							 const ProbeOptions *options,
							 const ProbeCallbacks *callbacks,
							 ProbeResult *result, ProbeError *error);
extern void ssdpar_probe_free(ProbeResult *result);

/*
 * device.c: fills what can be found.  Returns false if DIRECTORY, or something
 * else for lack of descriptors or memory, cannot be examined.
 */
extern bool ssdpar_probe_identify(const char *directory, ProbeDevice *device,
								  ProbeError *error);

/*
 * error.c: set the error with its message first, which clears detail and hint,
 * then what it means, then what to do.
 */
extern void ssdpar_probe_error(ProbeError *error, ProbeErrorKind kind,
							   const char *format, ...)
			__attribute__((format(printf, 3, 4)));
extern void ssdpar_probe_detail(ProbeError *error, const char *format, ...)
			__attribute__((format(printf, 2, 3)));
extern void ssdpar_probe_hint(ProbeError *error, const char *format, ...)
			__attribute__((format(printf, 2, 3)));

#endif							/* SSDPAR_PROBE_H */
