import fc from 'fast-check';
import { canMove } from '@holdfast/kernel/states';
import { matchesTypes } from './type-filter.js';
import { nextAttemptInMs } from './retry-schedule.js';
import { firstSlots, replaySlots, slotsAfter } from './slots.js';
import { webhookDeliveryMoves, webhookDeliveryStatuses } from './webhook-delivery-states.js';
import { webhookEndpointMoves, webhookEndpointStatuses } from './webhook-endpoint-states.js';
import { afterAttempt, disabled, enabled, rotated, signingSecrets, type WebhookEndpoint } from './webhook-endpoint.js';

const at = (hours: number) => new Date(Date.parse('2026-01-01T00:00:00Z') + hours * 3_600_000).toISOString() as `${string}Z`;

function anEndpoint(given: Partial<WebhookEndpoint> = {}): WebhookEndpoint {
  const times = { createdAt: at(0), updatedAt: at(0), failedSince: null, failingSince: null, disabledAt: null, deletedAt: null };
  return {
    ...{ id: 'whk_1', marketplaceId: 'mkt_1', url: 'https://a.example', types: [], description: null, ordering: 'aggregate' },
    ...{ status: 'ENABLED', secret: 'one', previous: null, disabledReason: null, version: 1, ...times, ...given },
  };
}

describe('the states of an endpoint and of a delivery', () => {
  it('allow exactly these moves', () => {
    const endpoint = (Object.keys(webhookEndpointMoves) as (keyof typeof webhookEndpointMoves)[]).map(
      (move) => `${move}: ${webhookEndpointStatuses.filter((status) => canMove(webhookEndpointMoves, move, status)).join()}`,
    );
    expect(endpoint).toEqual(['deliver: ENABLED', 'disable: ENABLED', 'enable: DISABLED']);
    const delivery = (Object.keys(webhookDeliveryMoves) as (keyof typeof webhookDeliveryMoves)[]).map(
      (move) => `${move}: ${webhookDeliveryStatuses.filter((status) => canMove(webhookDeliveryMoves, move, status)).join()}`,
    );
    expect(delivery).toEqual([
      'retry: PENDING,RETRYING',
      'deliver: PENDING,RETRYING,CANCELED',
      'exhaust: PENDING,RETRYING',
      'cancel: PENDING,RETRYING',
      'resend: DELIVERED,EXHAUSTED,CANCELED',
    ]);
  });
});

describe('types of an endpoint', () => {
  it.each([
    [[], 'order.created', true],
    [['order.created'], 'order.created', true],
    [['order.*'], 'order.created', true],
    [['order.*'], 'orders.created', false],
    [['order.closed', 'balance.*'], 'order.created', false],
  ])('%j let %s pass: %s', (types, eventType, isPassed) => {
    expect(matchesTypes(types, eventType)).toBe(isPassed);
  });
});

describe('the retry schedule', () => {
  const gaps = [5, 300];

  it('makes one attempt more than it has gaps', () => {
    const delays = [1, 2, 3].map((attempts) => nextAttemptInMs({ gaps, attempts, retryAfterSeconds: null, random: 0.5 }));
    expect(delays).toEqual([5_000, 300_000, undefined]);
  });

  it('varies by a fifth, and Retry-After lengthens a gap to its double at most', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 0.999, noNaN: true }), fc.nat(2_000), (random, retryAfterSeconds) => {
        const plain = nextAttemptInMs({ gaps, attempts: 2, retryAfterSeconds: null, random }) ?? 0;
        expect(plain).toBeGreaterThanOrEqual(240_000);
        expect(plain).toBeLessThanOrEqual(360_000);
        const asked = nextAttemptInMs({ gaps, attempts: 2, retryAfterSeconds, random }) ?? 0;
        expect(asked).toBe(Math.min(Math.max(retryAfterSeconds * 1_000, plain), 600_000));
      }),
    );
  });
});

describe('slots', () => {
  it('grow one by one while attempts succeed soon, and are halved by a failure or a slow response', () => {
    const [good, bad, slow] = [
      { isDelivered: true, durationMs: 5 },
      { isDelivered: false, durationMs: 5 },
      { isDelivered: true, durationMs: 2_000 },
    ];
    const grown = Array.from({ length: 40 }).reduce<typeof firstSlots>((slots) => slotsAfter(slots, good), firstSlots);
    expect([firstSlots.count, slotsAfter(firstSlots, good).count, grown.count]).toEqual([2, 3, 32]);
    expect([slotsAfter(grown, bad), slotsAfter(grown, slow)]).toEqual(Array(2).fill({ count: 16, isHealthy: false }));
    expect([slotsAfter(firstSlots, bad).count, replaySlots(firstSlots), replaySlots(grown)]).toEqual([2, 1, 16]);
  });
});

describe('a webhook endpoint', () => {
  it('signs with both secrets during the overlap of a rotation', () => {
    const endpoint = rotated(anEndpoint(), { secret: 'two', overlapSeconds: 3_600 }, at(0));
    expect(signingSecrets(endpoint, at(0.5))).toEqual(['two', 'one']);
    expect(signingSecrets(endpoint, at(2))).toEqual(['two']);
  });

  it('refuses a second rotation during an overlap unless it ends all older secrets', () => {
    const endpoint = rotated(anEndpoint(), { secret: 'two', overlapSeconds: 3_600 }, at(0));
    expect(() => rotated(endpoint, { secret: 'three', overlapSeconds: 60 }, at(0.5))).toThrow(
      expect.objectContaining({ code: 'INVALID_STATE' }),
    );
    expect(signingSecrets(rotated(endpoint, { secret: 'three', overlapSeconds: 0 }, at(0.5)), at(0.6))).toEqual(['three']);
    expect(signingSecrets(rotated(endpoint, { secret: 'three', overlapSeconds: 60 }, at(2)), at(2))).toEqual(['three', 'two']);
  });

  it('is failing after 24 hours of failures, disabled after 5 days, and healthy after one success', () => {
    const failed = afterAttempt(anEndpoint(), false, at(0));
    expect(afterAttempt(failed, false, at(23.9)).failingSince).toBeNull();
    const failing = afterAttempt(failed, false, at(24));
    expect(failing).toMatchObject({ failingSince: at(0), status: 'ENABLED' });
    expect(afterAttempt(failing, false, at(100))).toBe(failing);
    expect(afterAttempt(failing, false, at(120))).toMatchObject({ status: 'DISABLED', disabledReason: 'FAILING' });
    const healthy = afterAttempt(failing, true, at(119));
    expect(healthy).toMatchObject({ failedSince: null, failingSince: null });
    expect(afterAttempt(healthy, false, at(120)).status).toBe('ENABLED');
  });

  it('forgets its failures when it is enabled', () => {
    const gone = disabled(anEndpoint({ failedSince: at(0), failingSince: at(0) }), 'GONE', at(1));
    expect(gone).toMatchObject({ status: 'DISABLED', disabledAt: at(1), disabledReason: 'GONE' });
    expect(enabled(gone, at(2))).toMatchObject({ status: 'ENABLED', disabledAt: null, disabledReason: null, failedSince: null });
  });
});
