import { createHmac, hkdfSync } from 'node:crypto';
import type { Caller } from '../context/index.js';
import { isAppError } from '../errors/index.js';
import { callerHeader, callerLifetimeMs, callerSigner, clockToleranceMs } from './index.js';

const secret = 's'.repeat(32);
const caller: Caller = { type: 'api_key', id: 'key_1', marketplaceId: 'mkt_default', scopes: ['read', 'write'] };

function aSigner(options: { readonly secret?: string } = {}) {
  const time = { ms: 1_700_000_000_000 };
  return { time, signer: callerSigner({ secret: options.secret ?? secret, clock: { epochMs: () => time.ms } }) };
}

function reasonOf(act: () => unknown): string {
  try {
    act();
    return 'accepted';
  } catch (error) {
    if (!isAppError(error, 'UNAUTHORIZED') || !(error.cause instanceof Error)) throw error;
    return error.cause.message;
  }
}

describe('a signed caller', () => {
  it('arrives as it was sent, with its operation', () => {
    const { signer } = aSigner();
    expect(signer.verify(signer.sign({ caller }, 'orders'), 'orders')).toMatchObject({ caller });
    const header = signer.sign({ caller, operationId: 'op-1' }, 'orders');
    expect(signer.verify(header, 'orders')).toMatchObject({ caller, operationId: 'op-1' });
  });

  it('keeps when its credential ends, also among callers that differ in nothing else', () => {
    const { signer } = aSigner();
    const ends = ['2027-01-01T00:00:00.000000Z', '2027-01-02T00:00:00.000000Z'] as const;
    const headers = ends.map((expiresAt) => signer.sign({ caller: { ...caller, expiresAt } }, 'orders'));
    expect(headers.map((header) => signer.verify(header, 'orders').caller.expiresAt)).toEqual(ends);
  });

  it('opens no other service', () => {
    const { signer } = aSigner();
    const header = signer.sign({ caller }, 'orders');
    signer.verify(header, 'orders');
    expect(reasonOf(() => signer.verify(header, 'payments'))).toContain('another service');
  });

  it('expires, also when it was seen before', () => {
    const { signer, time } = aSigner();
    const header = signer.sign({ caller }, 'orders');
    time.ms += callerLifetimeMs + clockToleranceMs;
    expect(reasonOf(() => signer.verify(header, 'orders'))).toBe('accepted');
    time.ms += 1;
    expect(reasonOf(() => signer.verify(header, 'orders'))).toContain('expired');
  });

  it('cannot come from the future', () => {
    const { signer, time } = aSigner();
    const header = signer.sign({ caller }, 'orders');
    time.ms -= clockToleranceMs + 1;
    expect(reasonOf(() => signer.verify(header, 'orders'))).toContain('future');
  });

  it('is signed anew once a second, and at once for another caller, service or operation', () => {
    const { signer, time } = aSigner();
    const first = signer.sign({ caller }, 'orders');
    expect(signer.sign({ caller: { ...caller } }, 'orders')).toBe(first);
    expect(signer.sign({ caller: { ...caller, scopes: ['read'] } }, 'orders')).not.toBe(first);
    expect(signer.sign({ caller }, 'payments')).not.toBe(first);
    expect(signer.sign({ caller, operationId: 'op-1' }, 'orders')).not.toBe(first);
    time.ms += 1_000;
    expect(signer.sign({ caller }, 'orders')).not.toBe(first);
  });

  it('is refused when it is missing or forged', () => {
    const { signer } = aSigner();
    const header = signer.sign({ caller }, 'orders');
    const [text = '', signature = ''] = header.split('.');
    const other = Buffer.from(text, 'base64url').toString().replace('api_key', 'master');
    const forged = [
      undefined, '', '.', text, `${text}.`, `.${signature}`, `${Buffer.from(other).toString('base64url')}.${signature}`, `${header}x`,
      aSigner({ secret: 'x'.repeat(32) }).signer.sign({ caller }, 'orders'), 'x'.repeat(100_000),
    ]; // prettier-ignore
    for (const given of forged) expect(reasonOf(() => signer.verify(given, 'orders'))).not.toBe('accepted');
  });

  it.each(['not json', '{}', '[]', '{"t":"root"}'])('is refused when it is signed but says %s', (json) => {
    const { signer } = aSigner();
    const key = Buffer.from(hkdfSync('sha256', secret, 'holdfast', callerHeader, 32));
    const text = Buffer.from(json).toString('base64url');
    const header = `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`;
    expect(reasonOf(() => signer.verify(header, 'orders'))).toContain('cannot be read');
  });
});
