import type { Database } from '@holdfast/shared/postgres';

type Row = { readonly name: string; readonly token: string };

/** The rows by which processes see each other's leases. */
export type LeaseRows = {
  /** Whether it was free, or our own before. */
  readonly take: (row: Row & { readonly previous: string | undefined }, leaseMs: number) => Promise<boolean>;
  /** Names of those that are still ours. */
  readonly renew: (held: readonly Row[], leaseMs: number) => Promise<ReadonlySet<string>>;
  readonly giveBack: (held: readonly Row[]) => Promise<void>;
};

const takeLease = {
  name: 'take-lease',
  text: `
  insert into leases (name, token, until)
  values ($1, $2, now() + make_interval(secs => $3))
  on conflict (name) do update
  set token = excluded.token,
    until = excluded.until
  where leases.until < now()
    or leases.token = $4
  returning name`,
};

const renewLeases = {
  name: 'renew-leases',
  text: `
  update leases
  set until = now() + make_interval(secs => $3)
  from unnest($1::text[], $2::text[]) as held (name, token)
  where leases.name = held.name
    and leases.token = held.token
    and leases.until >= now()
  returning leases.name`,
};

const giveLeasesBack = {
  name: 'give-leases-back',
  text: `
  update leases
  set until = '-infinity'
  from unnest($1::text[], $2::text[]) as held (name, token)
  where leases.name = held.name
    and leases.token = held.token`,
};

export function leaseRows({ pool }: Pick<Database, 'pool'>): LeaseRows {
  const columnsOf = (held: readonly Row[]) => [held.map(({ name }) => name), held.map(({ token }) => token)];
  return {
    take: async ({ name, token, previous = null }, leaseMs) => {
      const { rowCount } = await pool.query({ ...takeLease, values: [name, token, leaseMs / 1_000, previous] });
      return rowCount === 1;
    },
    renew: async (held, leaseMs) => {
      const values = [...columnsOf(held), leaseMs / 1_000];
      const { rows } = await pool.query<{ readonly name: string }>({ ...renewLeases, values });
      return new Set(rows.map(({ name }) => name));
    },
    giveBack: async (held) => {
      await pool.query({ ...giveLeasesBack, values: columnsOf(held) });
    },
  };
}
