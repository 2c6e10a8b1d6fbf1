-- indexes.sql
--     Run after the load: keys, and an index on each column that facts are
--     joined or looked up by.

set search_path = facts;
set maintenance_work_mem = '512MB';

alter table calendar add primary key (d_key);
alter table item add primary key (i_key);
alter table customer add primary key (c_key);
alter table store add primary key (s_key);
alter table site add primary key (w_key);
alter table warehouse add primary key (h_key);
alter table promotion add primary key (p_key);
create index on calendar (d_date);
create index on sales (sl_date);
create index on sales (sl_item);
create index on sales (sl_customer);
create index on sales (sl_ticket, sl_item);
create index on returns (rt_date);
create index on returns (rt_item);
create index on returns (rt_customer);
create index on returns (rt_ticket, rt_item);
create index on web_sales (ws_date);
create index on web_sales (ws_item);
create index on web_sales (ws_customer);
create index on inventory (iv_item, iv_date);
create index on inventory (iv_date);
