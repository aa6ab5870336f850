import { lineOf } from './line.js';
import { readOptions } from './options.js';

const event = {
  eventId: 'evt_1',
  eventType: 'order.closed',
  occurredAt: '2026-01-31T12:00:00.123456Z',
  aggregateId: 'ord_1',
  aggregateType: 'Order',
  payload: { orderId: 'ord_1', finalStatus: 'RELEASED', title: 'two words', description: null },
  metadata: {},
};
const message = { id: event.occurredAt, event: event.eventType, data: JSON.stringify(event) };

describe('a line of the event viewer', () => {
  it('has time, type, aggregate id and payload fields', () => {
    expect(lineOf(message, false)?.replace(/ +/g, ' ')).toBe(
      '12:00:00.123456 order.closed ord_1 finalStatus=RELEASED title="two words"',
    );
  });

  it('is colored for a terminal', () => {
    expect(lineOf(message, true)).toContain('\u001b[32morder.closed');
  });

  it('is left out for pings, and explains a gap', () => {
    expect(lineOf({ id: undefined, event: 'ping', data: '{}' }, false)).toBeUndefined();
    expect(lineOf({ id: undefined, event: 'gap', data: '{"from":"a","to":"b"}' }, false)).toMatch(/after a, up to b/);
  });
});

describe('the options of the event viewer', () => {
  it('become the query and the headers of the stream', () => {
    const options = readOptions([
      '--type',
      'order.closed',
      '--type',
      'order.created',
      '--resource',
      'Order',
      '--marketplace',
      'mkt_1',
    ]);
    expect(options).toMatchObject({
      path: '/events?types=order.closed&types=order.created&resources=Order',
      headers: { 'x-marketplace-id': 'mkt_1' },
      isJson: false,
    });
  });

  it('are refused when they are unknown', () => {
    expect(() => readOptions(['--colour'])).toThrow(/colour/);
  });
});
