import PostgreSQLStorage

extension Schema {
    /// Ends the transaction when an account of a wildcard domain would share its own host with a domain.
    static let ownHosts = """
        CREATE FUNCTION require_own_hosts() RETURNS void LANGUAGE plpgsql AS $$
        BEGIN
            IF EXISTS (
                WITH host (domain, name) AS (
                    SELECT id, name FROM domain WHERE is_removed = 0
                    UNION ALL SELECT id, alias COLLATE "C"
                    FROM domain, jsonb_array_elements_text(settings::jsonb -> 'aliases') AS alias WHERE is_removed = 0
                )
                SELECT 1 FROM host AS exact
                    JOIN host AS wildcard ON wildcard.name = '*' || substr(exact.name, strpos(exact.name, '.'))
                    JOIN account ON account.domain = wildcard.domain AND account.is_removed = 0
                        AND account.name = split_part(exact.name, '.', 1)
                WHERE strpos(exact.name, '.') > 0
            ) THEN RAISE EXCEPTION 'host of an account' USING ERRCODE = 'LR006'; END IF;
        END $$;

        """

    /// A day or a month that is over, and of which nothing is open, gets a table without what was deleted: rows that are
    /// deleted leave their space behind. The table of such a day ends in `p`, for paid. A month of more than 10 million
    /// invoices keeps its days.
    ///
    /// The copy holds up whoever settles an invoice of that time, and the swap everybody for a moment.
    static let replacedPartitions = """
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

        CREATE FUNCTION replace_invoice_tables(days text[], name text, since bigint, until bigint) RETURNS bigint
        LANGUAGE plpgsql AS $$
        DECLARE
            day text;
            count bigint;
        BEGIN
            PERFORM pg_advisory_xact_lock(hashtextextended('invoice partitions', 0));
            PERFORM make_invoice_table(name, since, until);
            FOREACH day IN ARRAY days LOOP
                EXECUTE format('LOCK TABLE %I IN SHARE MODE', day);
                EXECUTE format('INSERT INTO %I SELECT * FROM %I', name, day);
            END LOOP;
            EXECUTE format('SELECT count(*) FROM %I', name) INTO count;
            FOREACH day IN ARRAY days LOOP
                EXECUTE format('ALTER TABLE invoice DETACH PARTITION %I', day);
                EXECUTE format('DROP TABLE %I', day);
            END LOOP;
            IF count = 0 THEN
                EXECUTE format('DROP TABLE %I', name);
            ELSE
                PERFORM attach_invoice_table(name, since, until);
            END IF;
            RETURN count;
        END $$;

        CREATE FUNCTION days_to_replace(moment bigint) RETURNS SETOF text LANGUAGE sql STABLE AS $$
            SELECT name FROM invoice_days()
            WHERE name !~ 'p$' AND since + 3 * 86400 < moment AND NOT has_open_invoices(since, since + 86400)
            ORDER BY name
        $$;

        CREATE FUNCTION replace_invoice_day(day text) RETURNS bigint LANGUAGE sql AS $$
            SELECT replace_invoice_tables(ARRAY[day], day || 'p', since, since + 86400)
            FROM invoice_days() WHERE name = day
        $$;

        CREATE OR REPLACE FUNCTION months_to_merge(moment bigint) RETURNS SETOF text LANGUAGE sql STABLE
        SET TimeZone = 'UTC' AS $$
            SELECT month FROM (
                SELECT substr(name, 9, 6) AS month FROM invoice_days() JOIN pg_class ON pg_class.oid = name::regclass
                GROUP BY 1 HAVING sum(greatest(reltuples, 0)) <= 10000000
            ) AS months, LATERAL (SELECT to_date(month || '01', 'YYYYMMDD')::timestamptz AS since) AS bounds
            WHERE extract(epoch FROM since + interval '1 month 2 days') < moment AND NOT has_open_invoices(
                extract(epoch FROM since)::bigint, extract(epoch FROM since + interval '1 month')::bigint)
            ORDER BY month
        $$;

        CREATE OR REPLACE FUNCTION merge_invoices(month text) RETURNS bigint LANGUAGE sql SET TimeZone = 'UTC' AS $$
            SELECT replace_invoice_tables(
                array_agg(name), 'invoice_' || month,
                extract(epoch FROM to_date(month || '01', 'YYYYMMDD')::timestamptz)::bigint,
                extract(epoch FROM to_date(month || '01', 'YYYYMMDD')::timestamptz + interval '1 month')::bigint)
            FROM invoice_days() WHERE substr(name, 9, 6) = month HAVING count(*) > 0
        $$;

        CREATE OR REPLACE FUNCTION make_invoice_partition(second bigint) RETURNS void LANGUAGE plpgsql
        SET TimeZone = 'UTC' AS $$
        DECLARE
            since bigint := second - second % 86400;
            name text := 'invoice_' || to_char(to_timestamp(since), 'YYYYMMDD');
        BEGIN
            PERFORM pg_advisory_xact_lock(hashtextextended('invoice partitions', 0));
            IF EXISTS (
                SELECT 1 FROM pg_inherits WHERE inhparent = 'invoice'::regclass AND inhrelid::regclass::text IN (
                    name, name || 'p', 'invoice_' || to_char(to_timestamp(since), 'YYYYMM'))
            ) THEN RETURN; END IF;
            PERFORM make_invoice_table(name, since, since + 86400);
            PERFORM attach_invoice_table(name, since, since + 86400);
        END $$;

        """
}
