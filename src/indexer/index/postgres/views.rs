//! Functions of the views for other programs. They call nothing of the schema, which is in no reader's search path.

/// `rs_account` is Bech32; `rs_amount` reads the encoding of holders' balances, exactly.
pub(in crate::indexer::index) const FUNCTIONS: &str = "
    CREATE OR REPLACE FUNCTION hex(bytea) RETURNS text
        LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$ SELECT upper(encode($1, 'hex')) $$;
    CREATE OR REPLACE FUNCTION rs_hash_prefix(bigint) RETURNS text
        LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$ SELECT upper(lpad(to_hex($1), 16, '0')) $$;
    CREATE OR REPLACE FUNCTION rs_time(bigint) RETURNS timestamptz
        LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
        AS $$ SELECT timestamptz '1970-01-01 00:00:00+00' + ($1 / 1000) * interval '1 microsecond' $$;
    CREATE OR REPLACE FUNCTION rs_text(bytea) RETURNS text
        LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
        AS $$ SELECT CASE WHEN position('\\x00'::bytea IN $1) > 0 THEN encode($1, 'escape')
                          ELSE convert_from($1, 'UTF8') END $$;
    CREATE OR REPLACE FUNCTION rs_amount(encoded bytea) RETURNS numeric
        LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
        DECLARE
            is_negative CONSTANT boolean := get_byte(encoded, 0) < 128;
            amount numeric := 0;
            digit int;
        BEGIN
            FOR place IN 1..length(encoded) - 1 LOOP
                digit := get_byte(encoded, place);
                amount := amount * 256 + CASE WHEN is_negative THEN 255 - digit ELSE digit END;
            END LOOP;
            RETURN CASE WHEN is_negative THEN -amount ELSE amount END;
        END $$;
    CREATE OR REPLACE FUNCTION rs_account(address bytea) RETURNS text
        LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
        DECLARE
            generators CONSTANT bigint[] := ARRAY[996825010, 642813549, 513874426, 1027748829, 705979059];
            prefix CONSTANT int[] := ARRAY[3, 3, 3, 3, 0, 9, 14, 9, 20];
            digits int[] := '{}';
            bits int := 0;
            held int := 0;
            checksum bigint := 1;
            high bigint;
            digit int;
            written text := 'init1';
        BEGIN
            IF length(address) NOT IN (20, 32) THEN
                RETURN NULL;
            END IF;
            FOR place IN 0..length(address) - 1 LOOP
                bits := ((bits << 8) | get_byte(address, place)) & 4095;
                held := held + 8;
                WHILE held >= 5 LOOP
                    held := held - 5;
                    digits := digits || ((bits >> held) & 31);
                END LOOP;
            END LOOP;
            IF held > 0 THEN
                digits := digits || ((bits << (5 - held)) & 31);
            END IF;
            FOREACH digit IN ARRAY prefix || digits || ARRAY[0, 0, 0, 0, 0, 0] LOOP
                high := checksum >> 25;
                checksum := ((checksum & 33554431) << 5) # digit;
                FOR bit IN 0..4 LOOP
                    IF (high >> bit) & 1 = 1 THEN
                        checksum := checksum # generators[bit + 1];
                    END IF;
                END LOOP;
            END LOOP;
            FOR place IN 0..5 LOOP
                digits := digits || (((checksum # 1) >> (25 - 5 * place)) & 31)::int;
            END LOOP;
            FOREACH digit IN ARRAY digits LOOP
                written := written || substr('qpzry9x8gf2tvdw0s3jn54khce6mua7l', digit + 1, 1);
            END LOOP;
            RETURN written;
        END $$;";
