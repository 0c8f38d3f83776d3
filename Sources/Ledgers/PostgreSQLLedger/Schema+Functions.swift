import LedgerRecords
import ResponderModel

/// A rule that a function of the schema enforces, by an SQLSTATE of its own.
enum BrokenRule: String {
    case leaseLost = "LR001"
    case unknownOffer = "LR002"
    case offerDisabled = "LR003"
    case requestAnswered = "LR004"
    case offerExhausted = "LR005"
    case challengeUsed = "LR007"

    var fault: LedgerFault {
        switch self {
        case .leaseLost: .leaseLost
        case .unknownOffer: .unknownOffer
        case .offerDisabled: .offerDisabled
        case .requestAnswered: .requestAnswered
        case .offerExhausted: .offerExhausted
        case .challengeUsed: .challengeUsed
        }
    }
}

extension Schema {
    /// `invoice_id` is the least id of a second. `make_invoice_partition` makes the partition of a day, with the indexes
    /// that only partitions have. New tables are attached, which holds up nobody.
    static let partitions = """
        CREATE FUNCTION invoice_id(second bigint) RETURNS bigint
        LANGUAGE sql IMMUTABLE AS $$ SELECT second << 20 $$;

        CREATE FUNCTION make_invoice_table(name text, since bigint, until bigint) RETURNS void LANGUAGE plpgsql AS $$
        BEGIN
            EXECUTE format('CREATE TABLE %I (LIKE invoice INCLUDING ALL)', name);
            EXECUTE format(
                'ALTER TABLE %I ADD CONSTRAINT %I EXCLUDE USING hash (payment_hash WITH =)', name, name || '_hash');
            EXECUTE format(
                'ALTER TABLE %I ADD CONSTRAINT bounds CHECK (id >= %s AND id < %s)',
                name, invoice_id(since), invoice_id(until));
        END $$;

        CREATE FUNCTION attach_invoice_table(name text, since bigint, until bigint) RETURNS void LANGUAGE plpgsql AS $$
        BEGIN
            EXECUTE format(
                'ALTER TABLE invoice ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%s)',
                name, invoice_id(since), invoice_id(until));
            EXECUTE format('ALTER TABLE %I DROP CONSTRAINT bounds', name);
        END $$;

        CREATE FUNCTION make_invoice_partition(second bigint) RETURNS void LANGUAGE plpgsql SET TimeZone = 'UTC' AS $$
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

    /// Ends the transaction unless a lease is held, and keeps others from taking it until it is committed.
    static let leases = """
        CREATE FUNCTION require_lease(wanted text, wanted_epoch bigint) RETURNS void LANGUAGE plpgsql AS $$
        BEGIN
            PERFORM 1 FROM lease WHERE name = wanted AND epoch = wanted_epoch AND holder IS NOT NULL FOR SHARE;
            IF NOT FOUND THEN RAISE EXCEPTION 'lease lost' USING ERRCODE = 'LR001'; END IF;
        END $$;

        """

    /// Refuse to give an invoice out by a setting of the transaction, which keeps the invoice from being stored, and return
    /// it: an exception would be a line in the server's log, and these refusals are ordinary. Nothing is refused while it
    /// is empty.
    ///
    /// `claim_offer` refuses when no further invoice may be given out for an offer. Whoever asks for an offer of limited
    /// use waits for those before him: else two would count the same payments. An invoice that can still be paid counts
    /// like a payment, and so does one that could, for a while and until its node has been followed beyond its time.
    static let offerClaims = """
        CREATE FUNCTION is_answered(request bytea, moment bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
            SELECT EXISTS (
                SELECT 1 FROM answered_request JOIN invoice
                    ON invoice.payment_hash = answered_request.payment_hash
                    AND invoice.id >= invoice_id(answered_request.created_at)
                    AND invoice.id < invoice_id(answered_request.created_at + 1)
                WHERE answered_request.digest = request
                    AND invoice.settled_at IS NULL AND invoice.expires_at > moment
            )
        $$;

        CREATE FUNCTION offer_obstacle(wanted bytea, request bytea, moment bigint, grace bigint) RETURNS text
        LANGUAGE plpgsql STABLE AS $$
        DECLARE
            found_offer offer;
        BEGIN
            SELECT * INTO found_offer FROM offer WHERE offer_id = wanted;
            IF found_offer.id IS NULL THEN RETURN 'LR002'; END IF;
            IF found_offer.disabled_at IS NOT NULL THEN RETURN 'LR003'; END IF;
            IF request IS NOT NULL AND is_answered(request, moment) THEN RETURN 'LR004'; END IF;
            IF found_offer.maximum_payments <= (
                SELECT count(*) FROM invoice LEFT JOIN followed_span ON followed_span.backend = invoice.backend
                WHERE invoice.offer = wanted AND (
                    invoice.settled_at IS NOT NULL
                    OR invoice.expires_at > least(moment, coalesce(followed_span.until, 0)) - grace)
            ) THEN RETURN 'LR005'; END IF;
            RETURN NULL;
        END $$;

        CREATE FUNCTION claim_offer(wanted bytea, request bytea, moment bigint, grace bigint) RETURNS text
        LANGUAGE plpgsql AS $$
        BEGIN
            -- Before the snapshots of what follows: they would not see the rows of a table that is replaced meanwhile.
            LOCK TABLE ONLY invoice IN ACCESS SHARE MODE;
            PERFORM 1 FROM offer WHERE offer_id = wanted AND maximum_payments IS NOT NULL FOR NO KEY UPDATE;
            RETURN set_config('responder.refusal', coalesce(offer_obstacle(wanted, request, moment, grace), ''), true);
        END $$;

        CREATE FUNCTION claim_request(
            request bytea, hash bytea, created bigint, expires bigint, moment bigint
        ) RETURNS text LANGUAGE plpgsql AS $$
        BEGIN
            IF current_setting('responder.refusal', true) <> '' THEN
                RETURN current_setting('responder.refusal');
            END IF;
            INSERT INTO answered_request (digest, payment_hash, created_at, expires_at)
            VALUES (request, hash, created, expires) ON CONFLICT (digest) DO NOTHING;
            IF FOUND THEN RETURN ''; END IF;
            PERFORM 1 FROM answered_request WHERE digest = request FOR UPDATE;
            IF is_answered(request, moment) THEN RETURN set_config('responder.refusal', 'LR004', true); END IF;
            UPDATE answered_request SET payment_hash = hash, created_at = created, expires_at = expires
            WHERE digest = request;
            RETURN '';
        END $$;
        """
}
