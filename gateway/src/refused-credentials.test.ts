import { manualClock } from '@holdfast/testing/clock';
import { collectingLog } from '@holdfast/testing/log';
import { createRefusedCredentials } from './refused-credentials.js';
import { aKeyText, anIdentity } from './testing/an-identity.js';
import { aGateway } from './testing/running-gateway.js';

type Reported = { readonly address: string; readonly minute: string; readonly count: number };

function counting() {
  const clock = manualClock();
  const log = collectingLog();
  const reports: (readonly Reported[])[] = [];
  const state = { isDown: false };
  const identity = {
    reportRefusals: (_gatewayId: string, refusals: readonly Reported[]) => {
      if (state.isDown) return Promise.reject(new Error('down'));
      reports.push(refusals);
      return Promise.resolve();
    },
  };
  return { clock, log, reports, state, refused: createRefusedCredentials({ identity, clock, log }) };
}

const shown = (reports: readonly (readonly Reported[])[]) =>
  reports.map((report) => report.map(({ address, count }) => [address, count]));

describe('refused credentials', () => {
  it('are reported as totals per minute, and only if the total has changed', async () => {
    const { refused, reports, clock } = counting();
    for (const address of ['a', 'b', 'a']) refused.record(address);
    await refused.report();
    refused.record('a');
    await refused.report();
    await refused.report();
    clock.advance(60_000);
    refused.record('a');
    await refused.report();
    expect(shown(reports)).toEqual([[['a', 2], ['b', 1]], [['a', 3]], [['a', 1]]]); // prettier-ignore
    expect(new Set(reports.flat().map(({ minute }) => minute)).size).toBe(2);
  });

  it('are reported once identity is available again, and dropped when their minute is closed', async () => {
    const { refused, reports, clock, state, log } = counting();
    refused.record('a');
    state.isDown = true;
    await expect(refused.report()).rejects.toThrow('down');
    state.isDown = false;
    await refused.report();
    expect(shown(reports)).toEqual([[['a', 1]]]);
    refused.record('a');
    clock.advance(200_000);
    await refused.report();
    expect(reports).toHaveLength(1);
    expect(log.lines.map(({ fact }) => fact)).toContain('refused credentials could not be reported');
  });

  it('of too many addresses share one entry, and all are counted', async () => {
    const { refused, reports } = counting();
    for (let index = 0; index < 10_050; index += 1) refused.record(`address ${index}`);
    await refused.report();
    const all = reports.flat();
    expect(all.reduce((sum, { count }) => sum + count, 0)).toBe(10_050);
    expect(all).toHaveLength(10_001);
    expect(Math.max(...reports.map((report) => report.length))).toBe(1_000);
  });

  it('count neither requests without a credential nor accepted ones', async () => {
    const identity = await anIdentity();
    // All requests fall into one minute.
    const gateway = await aGateway({ serviceUrls: { identity: identity.url }, rateLimitMax: 3, clock: manualClock() });
    const send = (authorization: string) =>
      fetch(`${gateway.url}/api/v1/orders`, { headers: authorization === '' ? {} : { authorization } });
    await send('');
    for (const credential of ['garbage', aKeyText('1'), aKeyText('2'), aKeyText('3'), aKeyText('4')])
      await send(`Bearer ${credential}`);
    await gateway.send('/api/v1/orders');
    await fetch(`${gateway.url}/api/v1/health`, { headers: { authorization: 'Bearer garbage' } });
    await gateway.stop();
    // A slow machine may send a report in between. Each report has the total of the minute.
    const refusals = identity.received
      .filter(({ url }) => url === '/api/v1/internal/refused-credentials')
      .flatMap(({ body }) => (JSON.parse(body) as { refusals: readonly { address: string; count: number }[] }).refusals);
    expect(new Set(refusals.map(({ address }) => address))).toEqual(new Set(['127.0.0.1']));
    expect(Math.max(...refusals.map(({ count }) => count))).toBe(5);
    await identity.stop();
  });
});
