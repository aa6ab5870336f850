import type { Instant } from '@holdfast/kernel/context';
import type { WebhookEndpointId } from '@holdfast/kernel/ids';
import type { ConnectionPool } from '@holdfast/postgres';

const lookStatement = {
  name: 'look-for-webhooks',
  text: `
  select exists (
      select
      from webhook_endpoints
      where status = 'ENABLED'
        and deleted_at is null
    ) as "isUsed",
    webhook_fan_out.position < appender.last_position as "isBehind",
    (
      select min(greatest(
        extract(epoch from due_at - $1::timestamptz),
        extract(epoch from leased_until - now())
      ) * 1000)::float8
      from webhook_endpoints
      where due_at is not null
        and id <> all($2::text[])
    ) as "dueInMs"
  from appender, webhook_fan_out`,
};

type LookRow = { readonly isUsed: boolean; readonly isBehind: boolean; readonly dueInMs: number | null };

export type WebhookLook = {
  /** Whether any endpoint is enabled. */
  readonly isUsed: boolean;
  /** In how many milliseconds something is due; undefined if nothing is. */
  readonly dueInMs: number | undefined;
};

/** One statement that finds everything due, except for the endpoints that this process has leased. */
export async function lookForWebhooks(
  { query }: Pick<ConnectionPool, 'query'>,
  now: Instant,
  heldIds: readonly WebhookEndpointId[],
): Promise<WebhookLook> {
  const { rows } = await query<LookRow>(lookStatement, [now, heldIds]);
  const { isUsed = false, isBehind = false, dueInMs = null } = rows[0] ?? {};
  return { isUsed, dueInMs: isUsed && isBehind ? 0 : (dueInMs ?? undefined) };
}
