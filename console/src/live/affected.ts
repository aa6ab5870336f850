import type { HoldfastEvent } from '@holdfast/sdk';

type AggregateType = HoldfastEvent['aggregateType'];

/** Money moves with most events, so balances and the summary are read again after each of them. */
const always = ['balances', 'summary', 'eventLog', 'audit'] as const;

/** Which resources of the API may show something else after an event, by the type of its aggregate. */
const affected: Readonly<Record<string, readonly string[]>> = {
  Order: ['orders', 'disputes', 'users'],
  Escrow: ['orders'],
  Dispute: ['disputes', 'orders'],
  Balance: ['users', 'statements'],
  User: ['users', 'wallets'],
  TopUp: ['topups', 'users'],
  Withdrawal: ['withdrawals', 'users'],
  WebhookEndpoint: ['webhookEndpoints', 'webhookDeliveries'],
} satisfies Partial<Record<AggregateType, readonly string[]>>;

/** What a batch of events may have changed. */
export type Changes = { readonly resources: ReadonlySet<string>; readonly ids: ReadonlySet<string> };

export type Seen = {
  readonly aggregateType: string;
  readonly aggregateId: string;
  readonly payload: Readonly<Record<string, unknown>>;
};

const id = /^[a-z]+_[0-9A-Za-z]{1,64}$/;

export function changesOf(events: readonly Seen[]): Changes {
  const resources = events.flatMap(({ aggregateType }) => [...always, ...(affected[aggregateType] ?? [])]);
  const texts = events.flatMap(({ aggregateId, payload }) => [aggregateId, ...Object.values(payload)]);
  return { resources: new Set(resources), ids: new Set(texts.filter((text) => typeof text === 'string')) };
}

/** A query is read again if its resource is affected and it is about one of the ids, or about none in particular, as lists are. */
export function isAffected([operation, ...given]: readonly unknown[], { resources, ids }: Changes): boolean {
  const [resource = ''] = typeof operation === 'string' ? operation.split('.') : [];
  if (!resources.has(resource)) return false;
  const about = given.filter((one) => typeof one === 'string' && id.test(one));
  return about.length === 0 || about.some((one) => typeof one === 'string' && ids.has(one));
}
