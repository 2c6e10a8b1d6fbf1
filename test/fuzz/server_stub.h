/*
 * server_stub.h
 *		Replaces the server functions that fuzz_profile.c's modules need.
 */
#ifndef SERVER_STUB_H
#define SERVER_STUB_H

/* Frees all memory allocated since the last call. */
extern void server_stub_free(void);

#endif							/* SERVER_STUB_H */
