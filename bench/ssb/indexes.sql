-- indexes.sql
--     Run once after the load: primary keys, one index on each of
--     lineorder's foreign keys, statistics and visibility map.
--
--     The foreign keys themselves are not declared: no plan uses them, and
--     checking them would take longer than everything else here.

set maintenance_work_mem = '512MB';
set max_parallel_maintenance_workers = 4;

alter table date add primary key (d_datekey);
alter table customer add primary key (c_custkey);
alter table supplier add primary key (s_suppkey);
alter table part add primary key (p_partkey);
alter table lineorder add primary key (lo_orderkey, lo_linenumber);

create index lineorder_custkey on lineorder (lo_custkey);
create index lineorder_partkey on lineorder (lo_partkey);
create index lineorder_suppkey on lineorder (lo_suppkey);
create index lineorder_orderdate on lineorder (lo_orderdate);
create index lineorder_commitdate on lineorder (lo_commitdate);

-- Freezing now keeps the first query from writing every page it reads.
vacuum (freeze, analyze) date;
vacuum (freeze, analyze) customer;
vacuum (freeze, analyze) supplier;
vacuum (freeze, analyze) part;
vacuum (freeze, analyze) lineorder;
