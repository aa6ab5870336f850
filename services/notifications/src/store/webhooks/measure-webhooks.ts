import type { Instant } from '@holdfast/kernel/context';
import type { ConnectionPool } from '@holdfast/postgres';

const statement = {
  name: 'measure-webhooks',
  text: `
  select (
      select count(*)::int
      from webhook_endpoints
      where failed_since is not null
        and failed_since < $1::timestamptz - interval '1 hour'
        and status = 'ENABLED'
        and deleted_at is null
    ) as failing,
    coalesce((
      select extract(epoch from $1::timestamptz - min(due_at))::float8
      from webhook_endpoints
      where due_at < $1
    ), 0) as "oldestDueSeconds"`,
};

export type MeasuredWebhooks = {
  /** Enabled endpoints whose attempts have all failed for an hour. */
  readonly failing: number;
  /** How long the endpoint that waits longest has had something due. */
  readonly oldestDueSeconds: number;
};

export async function measureWebhooks({ query }: Pick<ConnectionPool, 'query'>, now: Instant): Promise<MeasuredWebhooks> {
  const { rows } = await query<MeasuredWebhooks>(statement, [now]);
  return rows[0] ?? { failing: 0, oldestDueSeconds: 0 };
}
