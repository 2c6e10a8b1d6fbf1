/*
 * compared.c
 *		Devices to hold a measured one against.
 *
 * None of them was measured here: each line is what bench/ssdsim computes for
 * its description of that device, which names its sources (data sheets, tests,
 * papers).  test_ssdsim_compared.c computes them again.
 */
#include "compared.h"

const int	ssdpar_probe_compared_depths[PROBE_COMPARED_DEPTHS] = {
	1, 2, 4, 8, 16, 32, 64
};

const ProbeCompared ssdpar_probe_compared[PROBE_COMPARED_DEVICES] = {
	{"hdd", "a disk of 7,200 turns a minute",
	{75, 75, 75, 75, 75, 75, 75}},
	{"x25-e", "SLC, SATA, 2008: like Intel's X25-E",
	{4830, 9601, 17608, 28564, 30292, 30292, 30292}},
	{"ssd-m", "MLC, SATA: SSD-M of Chen, Hou and Lee (2016)",
	{4219, 8301, 15282, 25444, 30291, 30292, 30292}},
	{"s3700", "MLC, SATA, 2012: like Intel's DC S3700",
	{10604, 21118, 41221, 62471, 62484, 62484, 62484}},
	{"750", "MLC, PCIe 3.0, 2015: like Intel's 750",
	{14488, 28646, 55251, 101496, 170390, 240517, 268117}},
	{"nvme", "TLC, PCIe 3.0, about 2018: no single product",
	{11882, 23537, 45927, 87257, 156271, 250034, 336323}},
};
