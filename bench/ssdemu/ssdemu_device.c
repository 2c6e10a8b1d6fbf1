/*
 * ssdemu_device.c
 *		Combines ssdsim's device and faults, for any number of threads.
 *
 * The device's time follows the clock.  It may be slightly ahead, the more
 * requests are outstanding, so that it need not be woken up for each of its
 * steps.  That does not change its own behavior, and delays requests submitted
 * meanwhile at most by the same time, which a busy device hides.
 *
 * The time for the way through the kernel is subtracted from a request's
 * setup, as far as it has one, and from its answer, as far as that is foreseen
 * early enough.
 */
#include "ssdemu_device.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bench/ssdsim/ssdsim_random.h"

/* How far to be ahead, in ns: for each outstanding request, within bounds. */
#define AHEAD_EACH 1000
#define AHEAD_LEAST 4000
#define AHEAD_MOST 16000

/* From its submission until the device is done with it. */
typedef struct Pending
{
	SsdsimRequest request;		/* first, so that both have the same address */
	int64_t		submitted;
	int64_t		delay;			/* added by a fault */
	void	   *owner;
} Pending;

/*
 * The way through the kernel was measured with a long wait; after a short one
 * the machine wakes up faster, so subtract less from short requests.
 */
static int64_t
less_transport(const SsdemuDevice *device, const Pending *pending,
			   int64_t done)
{
	int64_t		hurried = device->transport - pending->request.hurry;
	int64_t		quarter = (done - pending->submitted + hurried) / 4 - hurried;

	if (quarter < 0)
		quarter = 0;
	return done - (pending->request.hurry < quarter ? pending->request.hurry :
				   quarter);
}

static void
foreseen(void *argument, SsdsimRequest *request, int64_t time)
{
	SsdemuDevice *device = argument;
	Pending    *pending = (Pending *) request;

	device->answer(device->argument, pending->owner, pending->delay +
				   less_transport(device, pending, time));
}

static void
done(void *argument, SsdsimRequest *request, int64_t now)
{
	SsdemuDevice *device = argument;

	(void) now;
	device->outstanding--;
	free(request);
}

SsdemuDevice *
ssdemu_device_new(const SsdemuDeviceSpec *spec, SsdemuAnswer answer,
				  void *argument)
{
	SsdemuDevice *device = calloc(1, sizeof(*device));

	if (device == NULL)
		return NULL;
	device->spec = *spec;
	device->answer = answer;
	device->argument = argument;
	device->wake = SSDSIM_NEVER;
	pthread_mutex_init(&device->lock, NULL);
	device->array = ssdsim_array_new(&spec->spec, spec->policy, spec->seed,
									 done, device);
	ssdsim_array_foresee(device->array, foreseen);
	ssdsim_array_fill(device->array);
	ssdsim_array_age(device->array, spec->age);
	ssdsim_array_count(device->array, &device->before);
	ssdemu_faults_init(&device->faults, spec->seed);
	return device;
}

void
ssdemu_device_free(SsdemuDevice *device)
{
	ssdsim_array_free(device->array);
	pthread_mutex_destroy(&device->lock);
	free(device);
}

uint64_t
ssdemu_device_place(const SsdemuDevice *device, uint64_t file)
{
	uint64_t	state = device->spec.seed ^ file;
	uint64_t	page = (uint64_t) device->spec.spec.page_bytes;

	return ssdsim_random_below(&state, ssdsim_spec_capacity(&device->spec.spec)
							   / page) * page;
}

int
ssdemu_device_fault(SsdemuDevice *device, SsdsimKind kind)
{
	int			errnum;

	pthread_mutex_lock(&device->lock);
	errnum = ssdemu_faults_errno(&device->faults, kind);
	device->errors += errnum != 0;
	pthread_mutex_unlock(&device->lock);
	return errnum;
}

/* ----- time ----- */

static int64_t
ahead(const SsdemuDevice *device)
{
	int64_t		ahead = AHEAD_EACH * device->outstanding;

	if (ahead < AHEAD_LEAST)
		return AHEAD_LEAST;
	return ahead < AHEAD_MOST ? ahead : AHEAD_MOST;
}

static void
pass_time(SsdemuDevice *device, int64_t until)
{
	int64_t		next;

	while ((next = ssdsim_array_next(device->array)) <= until)
	{
		device->now = next;
		ssdsim_array_step(device->array);
	}
}

/* When to be woken up, if that was not reported before. */
static int64_t
next_wake(SsdemuDevice *device)
{
	int64_t		next = ssdsim_array_next(device->array);

	if (device->ended || next >= device->wake)
		return SSDSIM_NEVER;
	device->wake = next;
	return next;
}

static void
count(SsdemuDevice *device, SsdsimKind kind, uint32_t bytes)
{
	int64_t		room = device->spec.spec.queue * device->spec.spec.devices;
	int			inside = device->outstanding;

	device->requests[kind]++;
	device->bytes[kind] += bytes;
	inside = inside < room ? inside : (int) room;
	if (inside > device->most_outstanding)
		device->most_outstanding = inside;
}

int
ssdemu_device_submit(SsdemuDevice *device, SsdsimKind kind, uint64_t address,
					 uint32_t bytes, int64_t now, void *owner, int64_t *wake)
{
	Pending    *pending = calloc(1, sizeof(*pending));

	*wake = SSDSIM_NEVER;
	if (pending == NULL)
		return ENOMEM;
	pending->request.kind = kind;
	pending->request.address = address;
	pending->request.bytes = bytes;
	pending->owner = owner;
	pthread_mutex_lock(&device->lock);
	pending->delay = kind == SSDSIM_FLUSH ? 0 :
		ssdemu_faults_delay(&device->faults);
	device->spikes += pending->delay > 0;
	device->outstanding++;
	count(device, kind, bytes);
	pass_time(device, now);
	device->now = now > device->now ? now : device->now;
	pending->submitted = device->now;
	pending->request.hurry = device->transport;
	ssdsim_array_submit(device->array, &pending->request, device->now);
	pass_time(device, now + ahead(device));
	*wake = next_wake(device);
	pthread_mutex_unlock(&device->lock);
	return 0;
}

int64_t
ssdemu_device_run(SsdemuDevice *device, int64_t now)
{
	int64_t		wake;

	pthread_mutex_lock(&device->lock);
	if (!device->ended)
		pass_time(device, now + ahead(device));
	if (device->wake <= now)
		device->wake = SSDSIM_NEVER;
	wake = next_wake(device);
	pthread_mutex_unlock(&device->lock);
	return wake;
}

void
ssdemu_device_end(SsdemuDevice *device)
{
	pthread_mutex_lock(&device->lock);
	while (device->outstanding > 0)
		ssdsim_array_step(device->array);
	device->ended = true;
	pthread_mutex_unlock(&device->lock);
}

void
ssdemu_device_set_transport(SsdemuDevice *device, int64_t time)
{
	pthread_mutex_lock(&device->lock);
	device->transport = time;
	pthread_mutex_unlock(&device->lock);
}

/* ----- control and statistics ----- */

bool
ssdemu_device_command(SsdemuDevice *device, const char *text)
{
	SsdsimError error = {""};
	bool		good;

	pthread_mutex_lock(&device->lock);
	good = ssdemu_faults_command(&device->faults, text, &error);
	device->refused = error;
	pthread_mutex_unlock(&device->lock);
	return good;
}

static void
print_count(FILE *out, const char *name, uint64_t value)
{
	fprintf(out, "%s %llu\n", name, (unsigned long long) value);
}

/* Writes a line of "name value" to a stream; one name, one meaning. */
static void
print_requests(const SsdemuDevice *device, FILE *out)
{
	fprintf(out, "device %s\n", device->spec.name);
	print_count(out, "seed", device->spec.seed);
	fprintf(out, "transport_ns %lld\n", (long long) device->transport);
	print_count(out, "read_requests", device->requests[SSDSIM_READ]);
	print_count(out, "read_bytes", device->bytes[SSDSIM_READ]);
	print_count(out, "write_requests", device->requests[SSDSIM_WRITE]);
	print_count(out, "write_bytes", device->bytes[SSDSIM_WRITE]);
	print_count(out, "trim_requests", device->requests[SSDSIM_TRIM]);
	print_count(out, "trim_bytes", device->bytes[SSDSIM_TRIM]);
	print_count(out, "flushes", device->requests[SSDSIM_FLUSH]);
	print_count(out, "errors_injected", device->errors);
	print_count(out, "spikes_injected", device->spikes);
	fprintf(out, "most_outstanding %d\n", device->most_outstanding);
}

/* What happened inside, with ssdsim's names. */
static void
print_inside(const SsdemuDevice *device, FILE *out)
{
	const SsdsimCounts *before = &device->before;
	SsdsimCounts counts;

	ssdsim_array_count(device->array, &counts);
	print_count(out, "pages_read_ahead", counts.read_ahead);
	print_count(out, "pages_read_ahead_used", counts.read_ahead_used);
	print_count(out, "pages_programmed",
				counts.programmed - before->programmed);
	print_count(out, "pages_moved", counts.moved - before->moved);
	print_count(out, "blocks_erased", counts.erased - before->erased);
	print_count(out, "foreground_steps", counts.foreground);
	print_count(out, "background_steps", counts.background);
	print_count(out, "die_busy_ns", (uint64_t) counts.die_busy);
	print_count(out, "channel_busy_ns", (uint64_t) counts.channel_busy);
	print_count(out, "contention_ns", (uint64_t) counts.contention);
	print_count(out, "queued_ns", (uint64_t) counts.queued);
}

size_t
ssdemu_device_print_stats(SsdemuDevice *device, char *text, size_t size)
{
	FILE	   *out = fmemopen(text, size, "w");
	long		length;

	if (out == NULL)
		return 0;
	pthread_mutex_lock(&device->lock);
	print_requests(device, out);
	print_inside(device, out);
	pthread_mutex_unlock(&device->lock);
	length = ftell(out);
	fclose(out);
	return length < 0 ? 0 : (size_t) length;
}

size_t
ssdemu_device_print_faults(SsdemuDevice *device, char *text, size_t size)
{
	size_t		length;

	pthread_mutex_lock(&device->lock);
	length = ssdemu_faults_print(&device->faults, text, size);
	if (device->refused.text[0] != '\0' && length < size)
	{
		snprintf(text + length, size - length, "# %s\n",
				 device->refused.text);
		length += strlen(text + length);
	}
	pthread_mutex_unlock(&device->lock);
	return length;
}
