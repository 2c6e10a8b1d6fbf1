-- schema.sql
--     Sales of stores and of the web, returns and inventory, and the tables
--     that they share: filled by fill.sql, then indexed by indexes.sql.
--     Run by bench/lib/made.py.

create schema facts;
set search_path = facts;

create table calendar (
    d_key int4 not null, d_date date not null, d_year int4 not null,
    d_month int4 not null, d_quarter int4 not null, d_week int4 not null,
    d_weekday int4 not null, d_season varchar(10) not null);
create table item (
    i_key int4 not null, i_brand varchar(20) not null,
    i_class varchar(20) not null, i_category varchar(20) not null,
    i_price numeric(7,2) not null, i_color varchar(12) not null,
    i_manager int4 not null, i_text varchar(120) not null);
create table customer (
    c_key int4 not null, c_name varchar(30) not null, c_state char(2) not null,
    c_birth_year int4 not null, c_income int4 not null,
    c_segment varchar(12) not null, c_preferred char(1) not null,
    c_address varchar(80) not null);
create table store (
    s_key int4 not null, s_name varchar(20) not null, s_state char(2) not null,
    s_size int4 not null);
create table site (
    w_key int4 not null, w_name varchar(20) not null,
    w_kind varchar(10) not null);
create table warehouse (
    h_key int4 not null, h_name varchar(20) not null, h_state char(2) not null);
create table promotion (
    p_key int4 not null, p_channel varchar(10) not null, p_cost int4 not null);

create table sales (
    sl_ticket int8 not null, sl_date int4 not null, sl_item int4 not null,
    sl_customer int4 not null, sl_store int4 not null, sl_promotion int4,
    sl_quantity int4 not null, sl_list_price numeric(7,2) not null,
    sl_price numeric(7,2) not null, sl_paid numeric(9,2) not null,
    sl_profit numeric(9,2) not null, sl_note char(24) not null);
create table returns (
    rt_ticket int8 not null, rt_date int4 not null, rt_item int4 not null,
    rt_customer int4 not null, rt_store int4 not null,
    rt_quantity int4 not null, rt_amount numeric(9,2) not null,
    rt_reason int4 not null, rt_note char(24) not null);
create table web_sales (
    ws_order int8 not null, ws_date int4 not null, ws_item int4 not null,
    ws_customer int4 not null, ws_site int4 not null,
    ws_warehouse int4 not null, ws_ship_date int4 not null,
    ws_promotion int4, ws_quantity int4 not null,
    ws_price numeric(7,2) not null, ws_paid numeric(9,2) not null,
    ws_profit numeric(9,2) not null, ws_note char(24) not null);
create table inventory (
    iv_date int4 not null, iv_item int4 not null, iv_warehouse int4 not null,
    iv_quantity int4);
