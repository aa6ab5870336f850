import { Webhook } from 'standardwebhooks';
import { Holdfast, isHoldfastError, verify } from './index.js';

const secret = `whsec_${Buffer.from('a'.repeat(32)).toString('base64')}`;
const other = `whsec_${Buffer.from('b'.repeat(32)).toString('base64')}`;
const body = JSON.stringify({ eventId: 'evt_1', eventType: 'order.created', payload: { title: 'é' } });
const nowSeconds = () => Math.floor((performance.timeOrigin + performance.now()) / 1_000);

function signed(text = body, { key = secret, ageSeconds = 0 } = {}) {
  const at = new Date((nowSeconds() - ageSeconds) * 1_000);
  return {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(nowSeconds() - ageSeconds),
    'webhook-signature': new Webhook(key).sign('evt_1', at, text),
  };
}

const good = signed();
const cases: readonly (readonly [string, string, Record<string, string>])[] = [
  ['a signed body', body, good],
  [
    'names of headers in capitals',
    body,
    Object.fromEntries(Object.entries(good).map(([name, value]) => [name.toUpperCase(), value])),
  ],
  [
    'two signatures, the second valid',
    body,
    { ...good, 'webhook-signature': `${signed(body, { key: other })['webhook-signature']} ${good['webhook-signature']}` },
  ],
  ['a request of four minutes ago', body, signed(body, { ageSeconds: 240 })],
  ['a request of six minutes ago', body, signed(body, { ageSeconds: 360 })],
  ['a request six minutes from now', body, signed(body, { ageSeconds: -360 })],
  ['a changed body', body.replace('evt_1', 'evt_2'), good],
  ['another secret', body, signed(body, { key: other })],
  ['another version of signatures', body, { ...good, 'webhook-signature': good['webhook-signature'].replace('v1', 'v2') }],
  ['half of a signature', body, { ...good, 'webhook-signature': good['webhook-signature'].slice(0, 20) }],
  ['a longer signature', body, { ...good, 'webhook-signature': `${good['webhook-signature']}A` }],
  ['no signature', body, { 'webhook-id': 'evt_1', 'webhook-timestamp': good['webhook-timestamp'] }],
  ['no id', body, { ...good, 'webhook-id': '' }],
  ['another id', body, { ...good, 'webhook-id': 'evt_2' }],
  ['another timestamp', body, { ...good, 'webhook-timestamp': String(nowSeconds() - 10) }],
  ['a timestamp that is not a number', body, { ...good, 'webhook-timestamp': 'now' }],
];

describe('verify', () => {
  it.each(cases)('has the result of standardwebhooks for %s', async (_, text, headers) => {
    const theirs = () => new Webhook(secret).verify(text, headers);
    const ours = await verify(Buffer.from(text), headers, secret).catch((error: unknown) => error);
    if (isHoldfastError(ours, 'WEBHOOK_SIGNATURE_INVALID')) expect(theirs).toThrow();
    else expect(ours).toEqual(theirs());
  });

  it('accepts some of them and refuses others', async () => {
    const results = await Promise.allSettled(cases.map(([, text, headers]) => verify(text, headers, secret)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
  });

  it('takes headers of the Fetch API, and is a method of the client, which needs no key for it', async () => {
    expect(await new Holdfast().webhooks.verify(body, new Headers(good), secret)).toMatchObject({ eventId: 'evt_1' });
  });

  it('TypeError for a secret that is none', async () => {
    await expect(verify(body, good, 'whsec_***')).rejects.toThrow(TypeError);
  });
});
