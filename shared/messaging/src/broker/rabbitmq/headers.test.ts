import type { Message } from 'amqplib';
import { attemptsOf, isRepeated, publishHeaders, retryHeaders } from './headers.js';

function aMessage(headers: unknown, redelivered = false): Message {
  return { content: Buffer.alloc(0), fields: { redelivered }, properties: { headers } } as Message;
}

describe('a delivery', () => {
  it('is the first one if the publisher and the broker say so', () => {
    expect(isRepeated(aMessage(publishHeaders({ isRepeated: false })))).toBe(false);
  });

  it('is repeated if the publisher says so', () => {
    expect(isRepeated(aMessage(publishHeaders({ isRepeated: true })))).toBe(true);
  });

  it('is repeated if the broker says so', () => {
    expect(isRepeated(aMessage(publishHeaders({ isRepeated: false }), true))).toBe(true);
  });

  it.each([0, 1])('is repeated when it comes from a retry queue after %d counted failures', (attempts) => {
    const retried = aMessage(retryHeaders(attempts));
    expect([isRepeated(retried), attemptsOf(retried)]).toEqual([true, attempts]);
  });

  it.each([undefined, null, 'false', '', 0, [], {}])('is repeated if its header is %p', (header) => {
    expect(isRepeated(aMessage({ 'holdfast-repeated': header }))).toBe(true);
  });

  it('is repeated if it has no headers', () => {
    expect(isRepeated(aMessage(undefined))).toBe(true);
  });
});
