import type { Client } from 'pg';

/**
 * The schema of the installation, which belongs to no service: which processes run, and with which settings. Roles of services cannot
 * read or write its tables. They may call its functions, and a process can write only the row of its own service.
 */
const schema = 'platform';
/** Raise it with each change of the statements below. They must work beside processes of the version before. */
const edition = 'edition 1';

/** Runs as administrator, under the lock of the provisioning. An administrator who did not create the schema leaves it as it is. */
export async function createPlatformSchema(client: Client): Promise<void> {
  const { rows } = await client.query<{ readonly isCurrent: boolean; readonly mayChange: boolean }>(findSchema, [
    schema,
    edition,
  ]);
  const [found] = rows;
  if (found === undefined || (!found.isCurrent && found.mayChange)) await client.query(statements);
}

const findSchema = `
  select
    coalesce(obj_description(oid, 'pg_namespace') = $2, false) as "isCurrent",
    pg_has_role(current_user, nspowner, 'usage') as "mayChange"
  from pg_namespace
  where nspname = $1`;

/** The service of the calling role is part of its name. An administrator may list processes, but not report one. */
const statements = `
  create schema if not exists ${schema};
  revoke all on schema ${schema} from public;
  grant usage on schema ${schema} to public;

  create table if not exists ${schema}.installation (
    is_only_row boolean primary key default true check (is_only_row),
    salt text not null
  );
  insert into ${schema}.installation (salt)
  values (replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''))
  on conflict do nothing;

  create table if not exists ${schema}.running_processes (
    instance_id text primary key,
    service text not null,
    version text not null,
    connections integer not null,
    settings jsonb not null,
    started_at timestamptz not null default clock_timestamp(),
    seen_at timestamptz not null
  );

  create or replace function ${schema}.calling_service() returns text
  language sql stable set search_path = ''
  return substring(session_user::text, '^holdfast_(.+)_app$');

  create or replace function ${schema}.assert_caller() returns void
  language plpgsql stable set search_path = '' as $body$
  begin
    if session_user not like 'holdfast\\_%' and not exists (
      select from pg_catalog.pg_roles where rolname = session_user and (rolsuper or rolcreaterole)
    ) then
      raise insufficient_privilege using message = 'only a role of the platform may do this';
    end if;
  end $body$;

  create or replace function ${schema}.installation_salt() returns text
  language plpgsql stable security definer set search_path = '' as $body$
  begin
    perform ${schema}.assert_caller();
    return (select salt from ${schema}.installation);
  end $body$;

  create or replace function ${schema}.list_processes(alive_seconds integer) returns setof ${schema}.running_processes
  language plpgsql stable security definer set search_path = '' as $body$
  begin
    perform ${schema}.assert_caller();
    return query
      select *
      from ${schema}.running_processes
      where seen_at > pg_catalog.clock_timestamp() - pg_catalog.make_interval(secs => alive_seconds);
  end $body$;

  create or replace function ${schema}.report_process(instance text, release text, pool integer, shared_settings jsonb) returns void
  language plpgsql security definer set search_path = '' as $body$
  declare
    caller constant text := ${schema}.calling_service();
  begin
    if caller is null then
      raise insufficient_privilege using message = 'only the serving role of a service may report a process';
    end if;
    delete from ${schema}.running_processes
    where seen_at < pg_catalog.clock_timestamp() - interval '1 hour';
    insert into ${schema}.running_processes as present (instance_id, service, version, connections, settings, seen_at)
    values (instance, caller, release, pool, shared_settings, pg_catalog.clock_timestamp())
    on conflict (instance_id) do update
      set seen_at = excluded.seen_at
      where present.service = excluded.service;
  end $body$;

  create or replace function ${schema}.forget_process(instance text) returns void
  language sql security definer set search_path = '' as $body$
    delete from ${schema}.running_processes
    where instance_id = instance
      and service = ${schema}.calling_service();
  $body$;

  comment on schema ${schema} is '${edition}';`;
