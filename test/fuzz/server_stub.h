/*
 * server_stub.h
 *		What fuzz_profile.c's modules need of a server: memory, assertions.
 */
#ifndef SERVER_STUB_H
#define SERVER_STUB_H

/* All that was allocated since the last call. */
extern void server_stub_free(void);

#endif							/* SERVER_STUB_H */
