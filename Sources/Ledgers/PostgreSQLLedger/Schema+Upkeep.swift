import LedgerRecords

extension Schema {
    /// A day or a month that is over, and of which nothing is open, gets a table without what was deleted: rows that are
    /// deleted leave their space behind. The table of such a day ends in `p`, for paid. A month of more than 10 million
    /// invoices keeps its days.
    ///
    /// Each in a transaction of its own: the old tables are closed, the new one is filled, and they change places. A lock
    /// that lasted as long as the copy would hold up every settlement, since a plan locks all partitions. Nobody is refused
    /// meanwhile: whoever writes into a closed table opens it again, and it is replaced another time. A backup that is being
    /// read, or a clock that was wrong, so holds up the replacement only.
    static let replacedPartitions = """
        CREATE TABLE closed_invoice_table (table_name text PRIMARY KEY);

        CREATE FUNCTION invoice_days() RETURNS TABLE (name text, since bigint) LANGUAGE sql STABLE
        SET TimeZone = 'UTC' AS $$
            SELECT inhrelid::regclass::text,
                extract(epoch FROM to_date(substr(inhrelid::regclass::text, 9, 8), 'YYYYMMDD')::timestamptz)::bigint
            FROM pg_inherits
            WHERE inhparent = 'invoice'::regclass AND inhrelid::regclass::text ~ '^invoice_[0-9]{8}p?$'
        $$;

        CREATE FUNCTION has_open_invoices(since bigint, until bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
            SELECT EXISTS (
                SELECT 1 FROM invoice WHERE settled_at IS NULL AND id >= invoice_id(since) AND id < invoice_id(until))
        $$;

        CREATE FUNCTION invoice_tables_to_replace(moment bigint) RETURNS SETOF text LANGUAGE sql STABLE
        SET TimeZone = 'UTC' AS $$
            SELECT name || 'p' FROM invoice_days()
            WHERE name !~ 'p$' AND since + 3 * 86400 < moment AND NOT has_open_invoices(since, since + 86400)
            UNION ALL
            SELECT 'invoice_' || month FROM (
                SELECT substr(name, 9, 6) AS month FROM invoice_days() JOIN pg_class ON pg_class.oid = name::regclass
                GROUP BY 1 HAVING sum(greatest(reltuples, 0)) <= 10000000
            ) AS months, LATERAL (SELECT to_date(month || '01', 'YYYYMMDD')::timestamptz AS since) AS bounds
            WHERE extract(epoch FROM since + interval '1 month 2 days') < moment AND NOT has_open_invoices(
                extract(epoch FROM since)::bigint, extract(epoch FROM since + interval '1 month')::bigint)
        $$;

        CREATE FUNCTION replaced_invoice_tables(name text) RETURNS TABLE (days text[], since bigint, until bigint)
        LANGUAGE sql STABLE SET TimeZone = 'UTC' AS $$
            SELECT array_agg(day.name ORDER BY day.name), extract(epoch FROM first)::bigint,
                extract(epoch FROM first + CASE WHEN $1 ~ 'p$' THEN interval '1 day' ELSE interval '1 month' END)::bigint
            FROM (SELECT to_date(rpad(substr($1, 9, 8), 8, '01'), 'YYYYMMDD')::timestamptz AS first) AS bounds
                JOIN invoice_days() AS day ON starts_with(day.name, rtrim($1, 'p'))
            GROUP BY first
        $$;

        CREATE FUNCTION open_invoice_table() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            DELETE FROM closed_invoice_table WHERE table_name = TG_TABLE_NAME::text;
            RETURN NULL;
        END $$;

        CREATE FUNCTION is_closed(tables text[]) RETURNS boolean LANGUAGE sql STABLE AS $$
            SELECT tables <@ array(SELECT table_name FROM closed_invoice_table)
        $$;

        CREATE FUNCTION close_invoice_tables(name text) RETURNS void LANGUAGE plpgsql AS $$
        DECLARE
            old record;
            day text;
        BEGIN
            SELECT * INTO STRICT old FROM replaced_invoice_tables(name);
            FOREACH day IN ARRAY old.days LOOP
                CONTINUE WHEN is_closed(ARRAY[day]);
                -- Waits for those who write: what they write is in the copy.
                EXECUTE format(
                    'CREATE OR REPLACE TRIGGER closed AFTER INSERT OR UPDATE OR DELETE ON %I'
                    ' FOR EACH ROW EXECUTE FUNCTION open_invoice_table()', day);
                INSERT INTO closed_invoice_table VALUES (day);
                -- A copy from before the table was opened lacks what was written since.
                EXECUTE format('DROP TABLE IF EXISTS %I', name);
            END LOOP;
            IF has_open_invoices(old.since, old.until) THEN
                RAISE EXCEPTION '% is in use', name USING ERRCODE = 'lock_not_available';
            END IF;
        END $$;

        CREATE FUNCTION fill_invoice_table(name text) RETURNS void LANGUAGE plpgsql AS $$
        DECLARE
            old record;
            day text;
        BEGIN
            SELECT * INTO STRICT old FROM replaced_invoice_tables(name);
            IF obj_description(to_regclass(name), 'pg_class') = old.days::text THEN RETURN; END IF;
            EXECUTE format('DROP TABLE IF EXISTS %I', name);
            PERFORM make_invoice_table(name, old.since, old.until);
            FOREACH day IN ARRAY old.days LOOP
                EXECUTE format('INSERT INTO %I SELECT * FROM %I', name, day);
            END LOOP;
            EXECUTE format('ANALYZE %I', name);
            EXECUTE format('COMMENT ON TABLE %I IS %L', name, old.days::text);
        END $$;

        CREATE FUNCTION swap_invoice_tables(name text) RETURNS void LANGUAGE plpgsql AS $$
        DECLARE
            old record;
            day text;
            has_rows boolean;
        BEGIN
            PERFORM pg_advisory_xact_lock(hashtextextended('invoice partitions', 0));
            -- Nobody writes after this.
            LOCK TABLE ONLY invoice IN ACCESS EXCLUSIVE MODE;
            SELECT * INTO STRICT old FROM replaced_invoice_tables(name);
            IF NOT is_closed(old.days) OR obj_description(to_regclass(name), 'pg_class') IS DISTINCT FROM old.days::text THEN
                RAISE EXCEPTION '% is not filled', name USING ERRCODE = 'lock_not_available';
            END IF;
            FOREACH day IN ARRAY old.days LOOP
                EXECUTE format('ALTER TABLE invoice DETACH PARTITION %I', day);
                EXECUTE format('DROP TABLE %I', day);
            END LOOP;
            DELETE FROM closed_invoice_table WHERE table_name = ANY (old.days);
            EXECUTE format('SELECT EXISTS (SELECT 1 FROM %I)', name) INTO has_rows;
            IF has_rows THEN
                EXECUTE format('COMMENT ON TABLE %I IS NULL', name);
                PERFORM attach_invoice_table(name, old.since, old.until);
            ELSE
                EXECUTE format('DROP TABLE %I', name);
            END IF;
        END $$;

        """
}
