import { isAppError } from '@holdfast/kernel/errors';
import { collectingLog, silentLog } from '@holdfast/testing/log';
import { signedWebhook } from '../testing/signed-webhook.js';
import { webhookSecret } from '../testing/running-payments.js';
import { createSignatureVerifier, isWebhookSecret } from './webhook-signature.js';

const anotherSecret = `whsec_${Buffer.from('another secret of the provider').toString('base64')}`;
const { verify } = createSignatureVerifier(webhookSecret, silentLog);
const body = { type: 'payin.confirmed', data: { id: 'p1' } };

function codeOf(run: () => unknown): string {
  try {
    run();
    return 'accepted';
  } catch (error) {
    return isAppError(error) ? error.code : String(error);
  }
}

describe('a signature', () => {
  it('of the raw bytes is accepted, and the message id is returned', () => {
    expect(verify(signedWebhook(body, { messageId: 'msg_1' }))).toEqual({ messageId: 'msg_1', isSigned: true });
    expect(verify(signedWebhook('no JSON', { messageId: 'msg_2' }))).toEqual({ messageId: 'msg_2', isSigned: true });
    expect(verify(signedWebhook('', { messageId: 'msg_3' }))).toEqual({ messageId: 'msg_3', isSigned: true });
    expect(verify(signedWebhook('{"name":"Zoë ☂"}', { messageId: 'msg_4' }))).toEqual({ messageId: 'msg_4', isSigned: true });
  });

  it('is accepted with the header names of the delivery service', () => {
    expect(verify(signedWebhook(body, { messageId: 'msg_1', prefix: 'svix' }))).toEqual({ messageId: 'msg_1', isSigned: true });
  });

  it('of either of two secrets is accepted, and a signature of a third one is refused', () => {
    const both = createSignatureVerifier(`${webhookSecret} ${anotherSecret}`, silentLog);
    expect(codeOf(() => both.verify(signedWebhook(body)))).toBe('accepted');
    expect(codeOf(() => both.verify(signedWebhook(body, { secret: anotherSecret })))).toBe('accepted');
    expect(codeOf(() => verify(signedWebhook(body, { secret: anotherSecret })))).toBe('WEBHOOK_SIGNATURE_INVALID');
  });

  it('may be one of several in the header', () => {
    const { bytes, headers } = signedWebhook(body);
    const several = `v1,AAAA v1a,BBBB ${headers['webhook-signature']}`;
    expect(codeOf(() => verify({ bytes, headers: { ...headers, 'webhook-signature': several } }))).toBe('accepted');
  });

  it.each([
    ['four minutes old', 240, 'accepted'],
    ['four minutes early', -240, 'accepted'],
    ['six minutes old', 360, 'WEBHOOK_SIGNATURE_INVALID'],
    ['six minutes early', -360, 'WEBHOOK_SIGNATURE_INVALID'],
  ])('%s is %s', (_name, seconds, expected) => {
    expect(codeOf(() => verify(signedWebhook(body, { ageMs: seconds * 1_000 })))).toBe(expected);
  });

  it('of another body, id or time is refused', () => {
    const { bytes, headers } = signedWebhook(body);
    const changes = [
      { bytes: Buffer.from(JSON.stringify(body).replace('p1', 'p2')), headers },
      { bytes: Buffer.concat([bytes, Buffer.from(' ')]), headers },
      { bytes, headers: { ...headers, 'webhook-id': 'msg_other' } },
      { bytes, headers: { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) - 1) } },
    ];
    expect(changes.map((changed) => codeOf(() => verify(changed)))).toEqual(changes.map(() => 'WEBHOOK_SIGNATURE_INVALID'));
  });

  it.each([
    ['webhook-id', undefined],
    ['webhook-timestamp', undefined],
    ['webhook-signature', undefined],
    ['webhook-id', ''],
    ['webhook-timestamp', 'now'],
    ['webhook-timestamp', '1e400'],
    ['webhook-signature', ''],
    ['webhook-signature', 'v1'],
    ['webhook-signature', 'v1,'],
    ['webhook-signature', 'v2,AAAA'],
    ['webhook-signature', ','],
    ['webhook-signature', ['v1,AAAA', 'v1,BBBB']],
  ])('with %s %j is refused', (name, value) => {
    const { bytes, headers } = signedWebhook(body);
    expect(codeOf(() => verify({ bytes, headers: { ...headers, [name]: value } }))).toBe('WEBHOOK_SIGNATURE_INVALID');
  });

  it('is not verified without a secret, with one warning', () => {
    const log = collectingLog();
    const unverified = createSignatureVerifier(undefined, log);
    expect(unverified.verify({ bytes: Buffer.from('x'), headers: { 'svix-id': 'msg_9' } })).toEqual({
      messageId: 'msg_9',
      isSigned: false,
    });
    expect(unverified.verify({ bytes: Buffer.from('x'), headers: {} })).toEqual({ messageId: undefined, isSigned: false });
    expect(log.lines.map(({ level }) => level)).toEqual(['warn']);
  });
});

describe('a secret', () => {
  it.each([
    [webhookSecret, true],
    ['whsec_', false],
    ['whsec_not base64!', false],
    ['aG9sZGZhc3Q=', false],
  ])('%j is valid: %s', (secret, expected) => {
    expect(isWebhookSecret(secret)).toBe(expected);
  });
});
