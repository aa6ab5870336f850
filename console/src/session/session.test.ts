import { parseSession, renewalDelayMs } from './session.js';

const renewal = { expiresAt: '2026-01-31T12:15:00Z', nextCode: 'code' };

describe('the session of a tab', () => {
  it('is read as it was stored', () => {
    const session = { credential: 'hk_1', marketplaceId: 'mkt_1', renewal };
    expect(parseSession(JSON.stringify(session))).toEqual(session);
    expect(parseSession('{"credential":"hk_1"}')).toEqual({ credential: 'hk_1', marketplaceId: undefined, renewal: undefined });
  });

  it.each(['', 'null', '[]', '{"credential":7}', '{'])('is none in %j', (text) => {
    expect(parseSession(text)).toBeUndefined();
  });

  it('is renewed after two thirds of its time, and at once after it', () => {
    expect(renewalDelayMs(renewal, Date.parse('2026-01-31T12:00:00Z'))).toBe(600_000);
    expect(renewalDelayMs(renewal, Date.parse('2026-01-31T13:00:00Z'))).toBe(0);
  });
});
