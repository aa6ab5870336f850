#!/bin/sh
# Restores a dump of backup.sh into an empty database, and stops signing and payouts in it until a person resumes them.
#
#   restore.sh holdfast-20260131T030000Z.dump
#
#   PGHOST, PGPORT, PGUSER, PGPASSFILE, PGDATABASE, PGSSLMODE   the administrator's login to the new, empty database
#
# No service may run on the database meanwhile.
set -eu

fail() { echo "restore: $1" >&2; exit 1; }

[ $# -eq 1 ] || fail "name one dump"
dump=$1
here=$(cd "$(dirname "$0")" && pwd)
[ -n "${PGDATABASE:-}" ] || fail "PGDATABASE is missing"
for tool in psql pg_restore sha256sum; do command -v $tool >/dev/null || fail "$tool is missing"; done
[ -f "$dump" ] || fail "$dump does not exist"
[ -f "$dump.sha256" ] || fail "$dump.sha256 does not exist: nobody can say whether the dump is whole. Nothing was changed."
(cd "$(dirname "$dump")" && sha256sum --check --status "$(basename "$dump").sha256") || fail "$dump is damaged. Nothing was changed."

export PGOPTIONS="-c client_min_messages=error"
sql() { psql --no-psqlrc --quiet --tuples-only --no-align --set=ON_ERROR_STOP=1 "$@"; }
found=$(sql --command="select count(*) from pg_namespace where nspname in ('identity', 'ledger_balance', 'orders', 'payments')")
[ "$found" = 0 ] || fail "the database is not empty: a dump is restored into an empty one only. Nothing was changed."

# Roles belong to the server and are not in the dump. They get their passwords, which follow from INTERNAL_SECRET, from
# "npm run migrate" or from the first start; the same is true for their search path.
pg_restore --list "$dump" | awk '$4 == "SCHEMA" && $NF ~ /^holdfast_/ { print $NF }' | sort -u | while read -r owner; do
  for role in "$owner" "${owner}_app"; do
    sql --command="do \$\$ begin
      if not exists (select from pg_roles where rolname = '$role') then create role $role login; end if;
      if not (select rolsuper from pg_roles where rolname = current_user) then grant $role to current_user; end if;
    end \$\$"
  done
done

pg_restore --dbname="$PGDATABASE" --exit-on-error --single-transaction "$dump" || fail "pg_restore failed: the database is unchanged"
sql --set=at="$(date -u +%Y-%m-%dT%H:%M:%SZ)" --set=reason="restored from $(basename "$dump")" --file="$here/stop-payouts.sql"
sql --command="analyze"
cat <<'END'
restore: done. Signing and payouts are stopped in the restored database. Next:
  1. empty the queues of RabbitMQ: their messages belong to the time after the backup
  2. npm run migrate, with the INTERNAL_SECRET of the backup
  3. start the services, prove the books: npm run verify-ledger
  4. go through docs/operations/backup-and-restore.md, then: npm run emergency -- resume --by <name> --reason <text>
In containers and clusters: docs/operations/operator-commands.md
END
