#!/bin/sh
# Backs up the database of an installation on your own Postgres: one consistent snapshot of all schemas, with checksum and retention.
# Secrets are not part of it: see docs/operations/backup-and-restore.md for what belongs together.
#
#   PGHOST, PGPORT, PGUSER, PGPASSFILE, PGDATABASE, PGSSLMODE   the administrator's login, as every client of Postgres reads it
#   BACKUP_DIR   where the dumps go; on another machine or in object storage that is mounted
#   KEEP_DAYS    dumps older than this are deleted after a successful one (default 35)
set -eu
umask 077

fail() { echo "backup: $1" >&2; exit 1; }

[ -n "${PGDATABASE:-}" ] || fail "PGDATABASE is missing"
[ -n "${BACKUP_DIR:-}" ] || fail "BACKUP_DIR is missing"
command -v pg_dump >/dev/null || fail "pg_dump is missing: install the client of your server's version, such as postgresql-client-18"
[ -d "$BACKUP_DIR" ] || fail "$BACKUP_DIR is no folder"

name="holdfast-$(date -u +%Y%m%dT%H%M%SZ)"
file="$BACKUP_DIR/$name.dump"
trap 'rm -f "$file.incomplete"' EXIT

pg_dump --format=custom --compress=6 --lock-wait-timeout=60s --file="$file.incomplete" ||
  fail "pg_dump failed: nothing was written"
pg_restore --list "$file.incomplete" | grep -q ' SCHEMA - ledger_balance ' || fail "the dump has no ledger: is PGDATABASE right?"
mv "$file.incomplete" "$file"
(cd "$BACKUP_DIR" && sha256sum "$name.dump" >"$name.dump.sha256")
find "$BACKUP_DIR" -name 'holdfast-*.dump*' -type f -mtime "+${KEEP_DAYS:-35}" -delete
echo "backup: $file ($(du -h "$file" | cut -f1))"
