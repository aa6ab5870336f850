import { z } from 'zod';
import { currency } from '@holdfast/contracts/shapes';
import type { CountedEvent } from './ports.js';

/**
 * What the counters need of a payload. The events of the history are older than the contracts of today, so nothing else of a payload is
 * required.
 */
export const movedMoney = z.object({ amount: z.string(), currency });

export const ofOrder = z.object({ orderId: z.string(), amount: z.string().optional() });

/** The day, in UTC, at which its publisher says that it happened. */
export function countedDay({ metadata, occurredAt }: Pick<CountedEvent, 'metadata' | 'occurredAt'>): string {
  return (metadata.producedAt ?? occurredAt).slice(0, 10);
}
