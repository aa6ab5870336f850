import { collectingLog } from '@holdfast/testing/log';
import { createRefusalLog } from './refusal-log.js';
import { aGateway } from './testing/running-gateway.js';

describe('requests refused by the rate limit', () => {
  it('have one log line for the first of a client, and one with the count of the others in an interval', () => {
    const log = collectingLog();
    const refusals = createRefusalLog(log);
    expect(['a', 'a', 'b', 'a'].map(refusals.record)).toEqual([true, false, true, false]);
    refusals.flush();
    refusals.flush();
    expect(log.lines).toMatchObject([{ fields: { client: 'a', count: 2 }, fact: 'more requests refused by the rate limit' }]);
    expect(refusals.record('a')).toBe(true);
  });

  it('of too many clients share one count', () => {
    const log = collectingLog();
    const refusals = createRefusalLog(log);
    const ownLines = Array.from({ length: 1_500 }, (_, index) => refusals.record(`client ${index}`)).filter(Boolean);
    expect(ownLines).toHaveLength(1_001);
    refusals.flush();
    expect(log.lines).toMatchObject([{ fields: { client: 'other clients', count: 499 } }]);
  });

  it('429 closes the connection, and every one is logged or counted', async () => {
    const gateway = await aGateway({ rateLimitMax: 1 });
    const responses = [];
    for (let count = 0; count < 5; count += 1) responses.push(await fetch(`${gateway.url}/api/v1/orders`));
    await gateway.stop();
    expect(responses.map(({ status, headers }) => [status, headers.get('connection')])).toEqual([
      [401, 'keep-alive'],
      ...Array.from({ length: 4 }, () => [429, 'close']),
    ]);
    const linesOf = (fact: string) => gateway.log.lines.filter((line) => line.fact === fact).map(({ fields }) => fields);
    const ownLines = linesOf('request completed').filter(({ status }) => status === 429).length;
    const counted = linesOf('more requests refused by the rate limit').map(({ count }) => Number(count));
    expect(ownLines).toBeLessThan(4);
    expect(ownLines + counted.reduce((sum, count) => sum + count, 0)).toBe(4);
  });
});
