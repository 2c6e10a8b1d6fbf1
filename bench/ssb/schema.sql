-- schema.sql
--     The five tables of the Star Schema Benchmark (O'Neil, O'Neil and Chen,
--     revision 3), empty.  Load them with ssbload, then run indexes.sql,
--     which adds the primary keys: filling an index row by row takes several
--     times as long as building it once.
--
--     Keys and money (in cents) are int4.  Text is varchar, which stores what
--     is there, where the specification says "fixed text".  "1 bit" is an
--     int2 of 0 or 1.

create table date (
    d_datekey           int4 not null,
    d_date              varchar(18) not null,
    d_dayofweek         varchar(9) not null,
    d_month             varchar(9) not null,
    d_year              int4 not null,
    d_yearmonthnum      int4 not null,
    d_yearmonth         varchar(7) not null,
    d_daynuminweek      int4 not null,
    d_daynuminmonth     int4 not null,
    d_daynuminyear      int4 not null,
    d_monthnuminyear    int4 not null,
    d_weeknuminyear     int4 not null,
    d_sellingseason     varchar(12) not null,
    d_lastdayinweekfl   int2 not null,
    d_lastdayinmonthfl  int2 not null,
    d_holidayfl         int2 not null,
    d_weekdayfl         int2 not null
);

create table customer (
    c_custkey     int4 not null,
    c_name        varchar(25) not null,
    c_address     varchar(25) not null,
    c_city        varchar(10) not null,
    c_nation      varchar(15) not null,
    c_region      varchar(12) not null,
    c_phone       varchar(15) not null,
    c_mktsegment  varchar(10) not null
);

create table supplier (
    s_suppkey  int4 not null,
    s_name     varchar(25) not null,
    s_address  varchar(25) not null,
    s_city     varchar(10) not null,
    s_nation   varchar(15) not null,
    s_region   varchar(12) not null,
    s_phone    varchar(15) not null
);

create table part (
    p_partkey    int4 not null,
    p_name       varchar(22) not null,
    p_mfgr       varchar(6) not null,
    p_category   varchar(7) not null,
    p_brand1     varchar(9) not null,
    p_color      varchar(11) not null,
    p_type       varchar(25) not null,
    p_size       int4 not null,
    p_container  varchar(10) not null
);

create table lineorder (
    lo_orderkey       int4 not null,
    lo_linenumber     int4 not null,
    lo_custkey        int4 not null,
    lo_partkey        int4 not null,
    lo_suppkey        int4 not null,
    lo_orderdate      int4 not null,
    lo_orderpriority  varchar(15) not null,
    lo_shippriority   varchar(1) not null,
    lo_quantity       int4 not null,
    lo_extendedprice  int4 not null,
    lo_ordtotalprice  int4 not null,
    lo_discount       int4 not null,
    lo_revenue        int4 not null,
    lo_supplycost     int4 not null,
    lo_tax            int4 not null,
    lo_commitdate     int4 not null,
    lo_shipmode       varchar(10) not null
);
