-- indexes.sql
--     Primary keys, and an index on each foreign key that users of such a
--     warehouse join by; run by bench/lib/tpcds.py once the tables are filled.

set search_path = tpcds;
set maintenance_work_mem = '256MB';

alter table call_center add primary key (cc_call_center_sk);
alter table catalog_page add primary key (cp_catalog_page_sk);
alter table catalog_returns add primary key (cr_item_sk, cr_order_number);
alter table catalog_sales add primary key (cs_item_sk, cs_order_number);
alter table customer add primary key (c_customer_sk);
alter table customer_address add primary key (ca_address_sk);
alter table customer_demographics add primary key (cd_demo_sk);
alter table date_dim add primary key (d_date_sk);
alter table household_demographics add primary key (hd_demo_sk);
alter table income_band add primary key (ib_income_band_sk);
alter table inventory add primary key (inv_date_sk, inv_item_sk, inv_warehouse_sk);
alter table item add primary key (i_item_sk);
alter table promotion add primary key (p_promo_sk);
alter table reason add primary key (r_reason_sk);
alter table ship_mode add primary key (sm_ship_mode_sk);
alter table store add primary key (s_store_sk);
alter table store_returns add primary key (sr_item_sk, sr_ticket_number);
alter table store_sales add primary key (ss_item_sk, ss_ticket_number);
alter table time_dim add primary key (t_time_sk);
alter table warehouse add primary key (w_warehouse_sk);
alter table web_page add primary key (wp_web_page_sk);
alter table web_returns add primary key (wr_item_sk, wr_order_number);
alter table web_sales add primary key (ws_item_sk, ws_order_number);
alter table web_site add primary key (web_site_sk);

create index on catalog_returns (cr_returned_date_sk);
create index on catalog_returns (cr_returning_customer_sk);
create index on catalog_returns (cr_call_center_sk);
create index on catalog_returns (cr_catalog_page_sk);

create index on catalog_sales (cs_sold_date_sk);
create index on catalog_sales (cs_ship_date_sk);
create index on catalog_sales (cs_bill_customer_sk);
create index on catalog_sales (cs_bill_cdemo_sk);
create index on catalog_sales (cs_bill_addr_sk);
create index on catalog_sales (cs_ship_customer_sk);
create index on catalog_sales (cs_call_center_sk);
create index on catalog_sales (cs_catalog_page_sk);
create index on catalog_sales (cs_warehouse_sk);
create index on catalog_sales (cs_promo_sk);

create index on customer (c_current_addr_sk);
create index on customer (c_current_cdemo_sk);
create index on customer (c_current_hdemo_sk);

create index on inventory (inv_item_sk);
create index on inventory (inv_warehouse_sk);

create index on store_returns (sr_returned_date_sk);
create index on store_returns (sr_customer_sk);
create index on store_returns (sr_store_sk);
create index on store_returns (sr_reason_sk);

create index on store_sales (ss_sold_date_sk);
create index on store_sales (ss_customer_sk);
create index on store_sales (ss_cdemo_sk);
create index on store_sales (ss_hdemo_sk);
create index on store_sales (ss_addr_sk);
create index on store_sales (ss_store_sk);
create index on store_sales (ss_promo_sk);

create index on web_returns (wr_returned_date_sk);
create index on web_returns (wr_returning_customer_sk);
create index on web_returns (wr_web_page_sk);

create index on web_sales (ws_sold_date_sk);
create index on web_sales (ws_ship_date_sk);
create index on web_sales (ws_bill_customer_sk);
create index on web_sales (ws_bill_addr_sk);
create index on web_sales (ws_ship_customer_sk);
create index on web_sales (ws_web_page_sk);
create index on web_sales (ws_web_site_sk);
create index on web_sales (ws_warehouse_sk);
create index on web_sales (ws_promo_sk);
