# Dockerfile: the official image of PostgreSQL with ssdpar in it.
#
#   docker build -t ssdpar .                  PostgreSQL 18
#   docker build --build-arg SERVER=17 -t ssdpar .
#
# Where the container may not use io_uring, as Docker's default profile has it,
# ssdpar-probe and calibrate() need it allowed (--security-opt), and the daemon
# reads by threads.

ARG SERVER=18

FROM postgres:${SERVER} AS build
RUN apt-get update && apt-get install -y --no-install-recommends \
        gcc libc6-dev libpq-dev liburing-dev make postgresql-server-dev-$PG_MAJOR
COPY . /source
RUN make -C /source clean && make -C /source install DESTDIR=/installed

FROM postgres:${SERVER}
RUN apt-get update && apt-get install -y --no-install-recommends liburing2 && \
    rm -rf /var/lib/apt/lists/*
COPY --from=build /installed /
CMD ["postgres", "-c", "shared_preload_libraries=ssdpar"]
