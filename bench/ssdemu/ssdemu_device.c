/*
 * ssdemu_device.c
 *		Model and faults together, for any number of threads.
 */
#include "ssdemu_device.h"

#include <stdlib.h>
#include <string.h>

#define Max(a, b) ((a) > (b) ? (a) : (b))

SsdemuDevice *
ssdemu_device_new(const SsdemuProfile *profile, uint64_t seed)
{
	SsdemuDevice *device = calloc(1, sizeof(*device));

	if (device == NULL)
		return NULL;
	pthread_mutex_init(&device->lock, NULL);
	ssdemu_model_init(&device->model, profile, seed);
	ssdemu_faults_init(&device->faults, seed);
	return device;
}

void
ssdemu_device_free(SsdemuDevice *device)
{
	pthread_mutex_destroy(&device->lock);
	free(device);
}

static void
count(SsdemuDevice *device, SsdemuKind kind, uint32_t bytes, int64_t now)
{
	int			inside = ssdemu_window_inside(&device->model.queue, now);

	device->requests[kind]++;
	device->bytes[kind] += bytes;
	device->most_outstanding = Max(device->most_outstanding, inside);
}

/*
 * The way through the kernel was measured with a long wait in it; after a
 * short one the machine wakes up faster, so a short request gives up less.
 */
static int64_t
less_transport(const SsdemuDevice *device, int64_t done, int64_t now)
{
	int64_t		quarter = (done - now) / 4;

	return done - (device->transport < quarter ? device->transport : quarter);
}

int
ssdemu_device_submit(SsdemuDevice *device, SsdemuKind kind, uint64_t address,
					 uint32_t bytes, int64_t now, int64_t *answer)
{
	int			errnum;
	int64_t		delay;

	pthread_mutex_lock(&device->lock);
	*answer = ssdemu_model_submit(&device->model, kind, address, bytes, now);
	*answer = less_transport(device, *answer, now);
	count(device, kind, bytes, now);
	errnum = ssdemu_faults_errno(&device->faults, kind);
	device->errors += errnum != 0;
	delay = ssdemu_faults_delay(&device->faults);
	device->spikes += delay > 0;
	*answer += delay;
	pthread_mutex_unlock(&device->lock);
	return errnum;
}

int64_t
ssdemu_device_flush(SsdemuDevice *device, int64_t now)
{
	int64_t		answer;

	pthread_mutex_lock(&device->lock);
	answer = less_transport(device, ssdemu_model_flush(&device->model, now),
							now);
	device->flushes++;
	pthread_mutex_unlock(&device->lock);
	return answer;
}

void
ssdemu_device_set_transport(SsdemuDevice *device, int64_t time)
{
	pthread_mutex_lock(&device->lock);
	device->transport = time;
	pthread_mutex_unlock(&device->lock);
}

bool
ssdemu_device_command(SsdemuDevice *device, const char *text)
{
	SsdemuError error = {""};
	bool		good;

	pthread_mutex_lock(&device->lock);
	good = ssdemu_faults_command(&device->faults, text, &error);
	device->refused = error;
	pthread_mutex_unlock(&device->lock);
	return good;
}

/* A line of "name value" to a stream; one name, one meaning. */
static void
print_counters(const SsdemuDevice *device, FILE *out)
{
	const SsdemuModel *model = &device->model;

	fprintf(out, "profile %s\n", model->profile.name);
	fprintf(out, "seed %llu\n", (unsigned long long) model->seed);
	fprintf(out, "transport_ns %lld\n", (long long) device->transport);
	fprintf(out, "read_requests %llu\n",
			(unsigned long long) device->requests[SSDEMU_READ]);
	fprintf(out, "read_bytes %llu\n",
			(unsigned long long) device->bytes[SSDEMU_READ]);
	fprintf(out, "write_requests %llu\n",
			(unsigned long long) device->requests[SSDEMU_WRITE]);
	fprintf(out, "write_bytes %llu\n",
			(unsigned long long) device->bytes[SSDEMU_WRITE]);
	fprintf(out, "flushes %llu\n", (unsigned long long) device->flushes);
	fprintf(out, "errors_injected %llu\n",
			(unsigned long long) device->errors);
	fprintf(out, "spikes_injected %llu\n",
			(unsigned long long) device->spikes);
	fprintf(out, "most_outstanding %d\n", device->most_outstanding);
	fprintf(out, "chunks_read_ahead %llu\n",
			(unsigned long long) model->chunks_ahead);
	fprintf(out, "chunks_read_ahead_used %llu\n",
			(unsigned long long) model->chunks_hit);
}

static void
print_busy(const SsdemuModel *model, FILE *out)
{
	fprintf(out, "controller_busy_ns %lld\n",
			(long long) model->controller.busy);
	fprintf(out, "bus_busy_ns %lld\n", (long long) model->bus.busy);
	for (int i = 0; i < model->profile.channels; i++)
		fprintf(out, "channel_%d_busy_ns %lld\n", i,
				(long long) model->channels[i].busy);
}

size_t
ssdemu_device_print_stats(SsdemuDevice *device, char *text, size_t size)
{
	FILE	   *out = fmemopen(text, size, "w");
	long		length;

	if (out == NULL)
		return 0;
	pthread_mutex_lock(&device->lock);
	print_counters(device, out);
	print_busy(&device->model, out);
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
