-- indexes.sql
--     Run once after the load: primary keys, an index on each foreign key that
--     no primary key begins with, and the foreign keys, since the planner
--     estimates joins by them: core is to be compared at its best.

set search_path = tpch;
set maintenance_work_mem = '512MB';
set max_parallel_maintenance_workers = 2;

alter table region add primary key (r_regionkey);
alter table nation add primary key (n_nationkey);
alter table supplier add primary key (s_suppkey);
alter table customer add primary key (c_custkey);
alter table part add primary key (p_partkey);
alter table partsupp add primary key (ps_partkey, ps_suppkey);
alter table orders add primary key (o_orderkey);
alter table lineitem add primary key (l_orderkey, l_linenumber);

create index nation_regionkey on nation (n_regionkey);
create index supplier_nationkey on supplier (s_nationkey);
create index customer_nationkey on customer (c_nationkey);
create index partsupp_suppkey on partsupp (ps_suppkey);
create index orders_custkey on orders (o_custkey);
create index lineitem_partkey_suppkey on lineitem (l_partkey, l_suppkey);
create index lineitem_suppkey on lineitem (l_suppkey);

alter table nation add foreign key (n_regionkey) references region;
alter table supplier add foreign key (s_nationkey) references nation;
alter table customer add foreign key (c_nationkey) references nation;
alter table partsupp add foreign key (ps_partkey) references part;
alter table partsupp add foreign key (ps_suppkey) references supplier;
alter table orders add foreign key (o_custkey) references customer;
alter table lineitem add foreign key (l_orderkey) references orders;
alter table lineitem add foreign key (l_partkey, l_suppkey)
    references partsupp;
