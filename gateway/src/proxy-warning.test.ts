import { manualClock } from '@holdfast/testing/clock';
import { collectingLog } from '@holdfast/testing/log';
import { createProxyWarning, warnOfUntrustedProxies } from './proxy-warning.js';
import { aGateway } from './testing/running-gateway.js';

const forwarded = { 'x-forwarded-for': '1.1.1.1' };

async function warningsAfter(headers: Record<string, string>, trustedProxyHops: number) {
  const gateway = await aGateway({ trustedProxyHops });
  await gateway.send('/api/v1/config', { headers });
  const { body } = await gateway.send('/api/v1/health/detailed');
  await gateway.stop();
  const logged = gateway.log.lines.filter(({ level }) => level === 'warn').map(({ fact }) => fact);
  return { shown: body.data.warnings as readonly string[], logged };
}

describe('a proxy in front of the gateway', () => {
  it('is warned of in the log and in /health/detailed while TRUSTED_PROXY_HOPS is 0', async () => {
    const { shown, logged } = await warningsAfter(forwarded, 0);
    expect(shown).toEqual([expect.stringContaining('TRUSTED_PROXY_HOPS is 0')]);
    expect(logged).toEqual(shown);
  });

  it('is not warned of when it is trusted, or when there is none', async () => {
    expect(await warningsAfter(forwarded, 1)).toEqual({ shown: [], logged: [] });
    expect(await warningsAfter({}, 0)).toEqual({ shown: [], logged: [] });
  });

  it('is logged once, and the warning ends when no such request arrives any more', () => {
    const [clock, log] = [manualClock(), collectingLog()];
    const warning = createProxyWarning({ trustedProxyHops: 0, clock, log });
    warning.notice();
    warning.notice();
    expect([warning.warnings().length, log.lines.length]).toEqual([1, 1]);
    clock.advance(600_000);
    expect(warning.warnings()).toEqual([]);
  });

  it('is mentioned at the start of a gateway that other machines can reach', () => {
    const log = collectingLog();
    warnOfUntrustedProxies({ trustedProxyHops: 0, log }, '127.0.0.1');
    warnOfUntrustedProxies({ trustedProxyHops: 1, log }, '0.0.0.0');
    expect(log.lines).toEqual([]);
    warnOfUntrustedProxies({ trustedProxyHops: 0, log }, '0.0.0.0');
    expect(log.lines).toMatchObject([{ level: 'warn', fields: { setting: 'TRUSTED_PROXY_HOPS' } }]);
  });
});
