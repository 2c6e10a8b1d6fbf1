-- schema.sql
--     The eight tables of TPC-H (specification revision 3, section 1.4), empty,
--     in a schema of their own: SSB's names are the same.  Filled by
--     bench/lib/tpch.py, which then runs indexes.sql.
--
--     Identifiers are int4, enough up to scale 300.  Decimals are numeric and
--     fixed texts char(n), as the specification has them.

create schema tpch;
set search_path = tpch;

create table region (
    r_regionkey  int4 not null,
    r_name       char(25) not null,
    r_comment    varchar(152) not null
);

create table nation (
    n_nationkey  int4 not null,
    n_name       char(25) not null,
    n_regionkey  int4 not null,
    n_comment    varchar(152) not null
);

create table supplier (
    s_suppkey    int4 not null,
    s_name       char(25) not null,
    s_address    varchar(40) not null,
    s_nationkey  int4 not null,
    s_phone      char(15) not null,
    s_acctbal    numeric(15,2) not null,
    s_comment    varchar(101) not null
);

create table customer (
    c_custkey     int4 not null,
    c_name        varchar(25) not null,
    c_address     varchar(40) not null,
    c_nationkey   int4 not null,
    c_phone       char(15) not null,
    c_acctbal     numeric(15,2) not null,
    c_mktsegment  char(10) not null,
    c_comment     varchar(117) not null
);

create table part (
    p_partkey      int4 not null,
    p_name         varchar(55) not null,
    p_mfgr         char(25) not null,
    p_brand        char(10) not null,
    p_type         varchar(25) not null,
    p_size         int4 not null,
    p_container    char(10) not null,
    p_retailprice  numeric(15,2) not null,
    p_comment      varchar(23) not null
);

create table partsupp (
    ps_partkey     int4 not null,
    ps_suppkey     int4 not null,
    ps_availqty    int4 not null,
    ps_supplycost  numeric(15,2) not null,
    ps_comment     varchar(199) not null
);

create table orders (
    o_orderkey       int4 not null,
    o_custkey        int4 not null,
    o_orderstatus    char(1) not null,
    o_totalprice     numeric(15,2) not null,
    o_orderdate      date not null,
    o_orderpriority  char(15) not null,
    o_clerk          char(15) not null,
    o_shippriority   int4 not null,
    o_comment        varchar(79) not null
);

create table lineitem (
    l_orderkey       int4 not null,
    l_partkey        int4 not null,
    l_suppkey        int4 not null,
    l_linenumber     int4 not null,
    l_quantity       numeric(15,2) not null,
    l_extendedprice  numeric(15,2) not null,
    l_discount       numeric(15,2) not null,
    l_tax            numeric(15,2) not null,
    l_returnflag     char(1) not null,
    l_linestatus     char(1) not null,
    l_shipdate       date not null,
    l_commitdate     date not null,
    l_receiptdate    date not null,
    l_shipinstruct   char(25) not null,
    l_shipmode       char(10) not null,
    l_comment        varchar(44) not null
);
