import { parseMoney } from '@holdfast/kernel/money';
import { paymentProviderEventTypes } from '@holdfast/contracts/http';
import { readPaymentEvent } from './payment-events.js';

const read = (event: unknown) => readPaymentEvent(Buffer.from(typeof event === 'string' ? event : JSON.stringify(event)));

describe('an event', () => {
  it('has a type and data', () => {
    const event = { type: 'payin.confirmed', data: { id: 'p1', code: 'topup_1', amount: 10.01, status: 'CONFIRMED' } };
    expect(read(event)).toEqual({
      eventId: null,
      type: 'payin.confirmed',
      update: {
        about: 'payin',
        update: { providerId: 'p1', code: 'topup_1', amount: parseMoney('10.01', 'USD'), outcome: 'succeeded', reason: null },
      },
    });
  });

  it('or an event id, an event type and data', () => {
    const event = {
      eventId: 'evt-7',
      eventType: 'payout.failed',
      occurredAt: '2026-01-31T12:00:00Z',
      data: { id: 'p2', amount: 5, currency: 'USD', status: 'failed', reasonCode: 'R1', reasonDescription: 'closed account' },
    };
    expect(read(event)).toEqual({
      eventId: 'evt-7',
      type: 'payout.failed',
      update: {
        about: 'payout',
        update: {
          providerId: 'p2',
          code: null,
          amount: parseMoney('5', 'USD'),
          outcome: 'failed',
          reason: { code: 'R1', text: 'closed account' },
        },
      },
    });
  });

  it('may leave out the amount and have nulls', () => {
    const data = { id: 'p1', code: null, amount: null, currency: null, reasonCode: null, reasonDescription: null };
    expect(read({ eventType: 'payin.succeeded', eventId: null, data }).update?.update).toEqual({
      providerId: 'p1',
      code: null,
      amount: undefined,
      outcome: 'succeeded',
      reason: null,
    });
  });

  it.each(paymentProviderEventTypes)('of the type %s has an update', (type) => {
    expect(read({ type, data: { id: 'p1' } }).update?.about).toBe(type.split('.')[0]);
  });

  it.each([
    ['an unknown type', { type: 'payin.exploded', data: { id: 'p1' } }],
    ['a type that is a property of every object', { type: 'constructor', data: { id: 'p1' } }],
    ['no type', { data: { id: 'p1' } }],
    ['a numeric type', { type: 7, data: { id: 'p1' } }],
    ['no data', { type: 'payin.confirmed' }],
    ['no id', { type: 'payin.confirmed', data: {} }],
    ['a numeric id', { type: 'payin.confirmed', data: { id: 7 } }],
    ['an amount with eight decimal places', { type: 'payin.confirmed', data: { id: 'p1', amount: 10.00000001 } }],
    ['another currency', { type: 'payin.confirmed', data: { id: 'p1', amount: 10, currency: 'EUR' } }],
    ['an array', [{ type: 'payin.confirmed', data: { id: 'p1' } }]],
    ['a number', 7],
    ['null', null],
    ['no JSON', 'type=payin.confirmed'],
    ['nothing', ''],
    ['arrays in 100,000 levels', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
  ])('with %s has no update', (_name, event) => {
    expect(read(event).update).toBeUndefined();
  });

  it.each([['evt-\u0000'], ['x'.repeat(256)], [''], [7]])('with the event id %j names none', (eventId) => {
    expect(read({ eventId, eventType: 'payin.confirmed', data: { id: 'p1' } }).eventId).toBeNull();
  });
});
