/* ssdpar--1.0.sql: everything CREATE EXTENSION ssdpar makes. */

-- complain if script is sourced in psql, rather than via CREATE EXTENSION
\echo Use "CREATE EXTENSION ssdpar" to load this file. \quit

GRANT USAGE ON SCHEMA ssdpar TO PUBLIC;
