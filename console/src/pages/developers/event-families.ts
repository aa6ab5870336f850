import type { WebhookEndpointsCreateInput } from '@holdfast/sdk';

type EventFilter = NonNullable<WebhookEndpointsCreateInput['types']>[number];

/** The choices of the console; the API also takes single types. */
export const eventFamilies = [
  'order.*',
  'milestone.*',
  'dispute.*',
  'escrow.*',
  'balance.*',
  'topup.*',
  'withdrawal.*',
  'user.*',
  'webhook_endpoint.*',
] as const satisfies readonly EventFilter[];
export type EventFamily = (typeof eventFamilies)[number];

export function familiesIn(texts: readonly string[]): readonly EventFamily[] {
  return eventFamilies.filter((family) => texts.includes(family));
}
