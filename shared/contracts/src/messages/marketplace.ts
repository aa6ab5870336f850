import { z } from 'zod';
import { duration, id } from '../shapes/index.js';
import { message } from './message.js';

/** The winner of a dispute if the other side has not responded in time: none, or the side that opened it. */
export const noResponseRules = ['none', 'opener'] as const;
export type NoResponseRule = (typeof noResponseRules)[number];

export const marketplaceChanged = message({
  type: 'marketplace.changed',
  version: 1,
  visibility: 'internal',
  aggregateType: 'Marketplace',
  summary: 'The settings of a marketplace changed.',
  publisher: 'identity',
  acknowledged: true,
  payload: z.strictObject({
    marketplaceId: id('mkt'),
    disputeResponsePeriod: duration.nullable(),
    disputeDecisionPeriod: duration.nullable(),
    onNoResponse: z.enum(noResponseRules),
  }),
});

export const testClockAdvanced = message({
  type: 'test_clock.advanced',
  version: 1,
  visibility: 'internal',
  aggregateType: 'Marketplace',
  summary: 'The test clock of a marketplace was advanced.',
  publisher: 'identity',
  acknowledged: true,
  payload: z.strictObject({
    marketplaceId: id('mkt'),
    /** How far it is ahead of the real time, in all. It never becomes less. */
    offsetSeconds: z.int().min(0),
  }),
});

export const marketplaceMessages = [marketplaceChanged, testClockAdvanced] as const;
