/*
 * ssb_words.c
 *		The vocabularies.  The order of the nations matters, because a phone
 *		number begins with 10 plus the nation's position, as in the reference
 *		tool.
 *
 * The colors are the 92 of TPC-H; the SSB specification says 94, but neither
 * it nor the reference tool names two more.
 */
#include "ssb_words.h"

#define W(word) {word, sizeof(word) - 1}

const SsbWord ssb_regions[SSB_NREGIONS] = {
	W("AFRICA"), W("AMERICA"), W("ASIA"), W("EUROPE"), W("MIDDLE EAST"),
};

const SsbWord ssb_nations[SSB_NNATIONS] = {
	W("ALGERIA"), W("ARGENTINA"), W("BRAZIL"), W("CANADA"), W("EGYPT"),
	W("ETHIOPIA"), W("FRANCE"), W("GERMANY"), W("INDIA"), W("INDONESIA"),
	W("IRAN"), W("IRAQ"), W("JAPAN"), W("JORDAN"), W("KENYA"), W("MOROCCO"),
	W("MOZAMBIQUE"), W("PERU"), W("CHINA"), W("ROMANIA"), W("SAUDI ARABIA"),
	W("VIETNAM"), W("RUSSIA"), W("UNITED KINGDOM"), W("UNITED STATES"),
};

const uint8_t ssb_region_nations[SSB_NREGIONS][SSB_NATIONS_PER_REGION] = {
	{0, 5, 14, 15, 16},
	{1, 2, 3, 17, 24},
	{8, 9, 12, 18, 21},
	{6, 7, 19, 22, 23},
	{4, 10, 11, 13, 20},
};

const SsbWord ssb_segments[SSB_NSEGMENTS] = {
	W("AUTOMOBILE"), W("BUILDING"), W("FURNITURE"), W("HOUSEHOLD"),
	W("MACHINERY"),
};

const SsbWord ssb_priorities[SSB_NPRIORITIES] = {
	W("1-URGENT"), W("2-HIGH"), W("3-MEDIUM"), W("4-NOT SPECIFIED"),
	W("5-LOW"),
};

const SsbWord ssb_shipmodes[SSB_NSHIPMODES] = {
	W("REG AIR"), W("AIR"), W("RAIL"), W("TRUCK"), W("MAIL"), W("FOB"),
	W("SHIP"),
};

const SsbWord ssb_colors[SSB_NCOLORS] = {
	W("almond"), W("antique"), W("aquamarine"), W("azure"), W("beige"),
	W("bisque"), W("black"), W("blanched"), W("blue"), W("blush"),
	W("brown"), W("burlywood"), W("burnished"), W("chartreuse"),
	W("chiffon"), W("chocolate"), W("coral"), W("cornflower"), W("cornsilk"),
	W("cream"), W("cyan"), W("dark"), W("deep"), W("dim"), W("dodger"),
	W("drab"), W("firebrick"), W("floral"), W("forest"), W("frosted"),
	W("gainsboro"), W("ghost"), W("goldenrod"), W("green"), W("grey"),
	W("honeydew"), W("hot"), W("indian"), W("ivory"), W("khaki"), W("lace"),
	W("lavender"), W("lawn"), W("lemon"), W("light"), W("lime"), W("linen"),
	W("magenta"), W("maroon"), W("medium"), W("metallic"), W("midnight"),
	W("mint"), W("misty"), W("moccasin"), W("navajo"), W("navy"), W("olive"),
	W("orange"), W("orchid"), W("pale"), W("papaya"), W("peach"), W("peru"),
	W("pink"), W("plum"), W("powder"), W("puff"), W("purple"), W("red"),
	W("rose"), W("rosy"), W("royal"), W("saddle"), W("salmon"), W("sandy"),
	W("seashell"), W("sienna"), W("sky"), W("slate"), W("smoke"), W("snow"),
	W("spring"), W("steel"), W("tan"), W("thistle"), W("tomato"),
	W("turquoise"), W("violet"), W("wheat"), W("white"), W("yellow"),
};

const SsbWord ssb_type_sizes[6] = {
	W("STANDARD"), W("SMALL"), W("MEDIUM"), W("LARGE"), W("ECONOMY"),
	W("PROMO"),
};

const SsbWord ssb_type_finishes[5] = {
	W("ANODIZED"), W("BURNISHED"), W("PLATED"), W("POLISHED"), W("BRUSHED"),
};

const SsbWord ssb_type_metals[5] = {
	W("TIN"), W("NICKEL"), W("BRASS"), W("STEEL"), W("COPPER"),
};

const SsbWord ssb_container_sizes[5] = {
	W("SM"), W("LG"), W("MED"), W("JUMBO"), W("WRAP"),
};

const SsbWord ssb_container_kinds[8] = {
	W("CASE"), W("BOX"), W("BAG"), W("JAR"), W("PACK"), W("PKG"), W("CAN"),
	W("DRUM"),
};

const SsbWord ssb_months[12] = {
	W("January"), W("February"), W("March"), W("April"), W("May"), W("June"),
	W("July"), W("August"), W("September"), W("October"), W("November"),
	W("December"),
};

const SsbWord ssb_weekdays[7] = {
	W("Sunday"), W("Monday"), W("Tuesday"), W("Wednesday"), W("Thursday"),
	W("Friday"), W("Saturday"),
};
