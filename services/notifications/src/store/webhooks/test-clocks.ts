import type { testClockAdvanced, Envelope, Payload } from '@holdfast/contracts/messages';
import type { Context } from '@holdfast/kernel/context';
import type { WebhookEndpointId } from '@holdfast/kernel/ids';
import { instantAfter, type Instant } from '@holdfast/kernel/instants';
import { handleOnce } from '@holdfast/messaging/inbox';
import type { Database } from '@holdfast/postgres';
import { deliveries, endpoints } from './schema.js';

const insertClock = {
  name: 'insert-test-clock',
  text: `
  insert into test_clocks (marketplace_id, offset_seconds)
  values ($1, 0)
  on conflict (marketplace_id) do nothing`,
};

/** No row where the message is older than what is known. */
const lockClock = {
  name: 'lock-test-clock',
  text: `
  select $2::integer - offset_seconds as "bySeconds"
  from test_clocks
  where marketplace_id = $1
    and offset_seconds < $2
  for update`,
};

const moveClock = {
  name: 'move-test-clock',
  text: `
  update test_clocks
  set offset_seconds = $2
  where marketplace_id = $1`,
};

const lockEndpoints = {
  name: 'lock-webhook-endpoints-of-marketplace',
  text: `
  select id
  from ${endpoints.table}
  where marketplace_id = $1
    and status = 'ENABLED'
    and deleted_at is null
  order by id
  for no key update`,
};

const moveDeliveries = {
  name: 'move-webhook-deliveries',
  text: `
  update ${deliveries.table}
  set next_attempt_at = next_attempt_at - make_interval(secs => $2)
  where endpoint_id = any($1)
    and next_attempt_at is not null`,
};

const moveEndpoints = {
  name: 'move-webhook-endpoints',
  text: `
  update ${endpoints.table}
  set due_at = due_at - make_interval(secs => $2)
  where id = any($1)
    and due_at is not null`,
};

export type ClockHandler = (message: Envelope<Payload<typeof testClockAdvanced>>, ctx: Context) => Promise<void>;

type Options = {
  readonly database: Pick<Database, 'inTransaction'>;
  /** Deliveries to these endpoints may be due. */
  readonly onMoved: (endpointIds: readonly WebhookEndpointId[]) => void;
};

/** Moves the retries of a marketplace as far as its clock. An older message moves nothing. */
export function testClockHandler({ database, onMoved }: Options): ClockHandler {
  return handleOnce({ database, consumer: 'notifications' }, async (tx, { payload: { marketplaceId, offsetSeconds } }) => {
    await tx.query(insertClock, [marketplaceId]);
    const [moved] = await tx.query<{ readonly bySeconds: number }>(lockClock, [marketplaceId, offsetSeconds]);
    if (moved === undefined) return;
    const ids = (await tx.query<{ readonly id: WebhookEndpointId }>(lockEndpoints, [marketplaceId])).map(({ id }) => id);
    tx.defer(moveClock, [marketplaceId, offsetSeconds]);
    tx.defer(moveDeliveries, [ids, moved.bySeconds]);
    tx.defer(moveEndpoints, [ids, moved.bySeconds]);
    tx.afterCommit(() => onMoved(ids));
  });
}

/** How far the clock of the marketplace of a delivery is ahead, as part of a statement that reads deliveries. */
export const secondsAhead = `coalesce((
    select offset_seconds
    from test_clocks
    where test_clocks.marketplace_id = ${deliveries.table}.marketplace_id
  ), 0) as "secondsAhead"`;

type Timed = { readonly nextAttemptAt: Instant | null; readonly secondsAhead: number };

/** A delivery with its next attempt in the time of its marketplace. */
export function inTimeOfMarketplace<Row extends Timed>({ secondsAhead: ahead, ...delivery }: Row): Omit<Row, 'secondsAhead'> {
  const { nextAttemptAt } = delivery;
  if (nextAttemptAt === null || ahead === 0) return delivery;
  return { ...delivery, nextAttemptAt: instantAfter(nextAttemptAt, `PT${ahead}S`) };
}
