import type { Event } from '@holdfast/sdk';

export type EventFilter = { readonly type: string | undefined; readonly aggregateId: string | undefined };

/** `order.*` stands for every type that begins with `order.`, as it does for webhooks. */
export function fits({ eventType, aggregateId }: Pick<Event, 'eventType' | 'aggregateId'>, filter: EventFilter): boolean {
  const { type = '', aggregateId: about = '' } = filter;
  const isType = type === '' || type === eventType || (type.endsWith('.*') && eventType.startsWith(type.slice(0, -1)));
  return isType && (about === '' || about === aggregateId);
}
