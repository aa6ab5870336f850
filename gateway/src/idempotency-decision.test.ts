import {
  claimMs,
  decideIdempotency,
  isIdempotencyKey,
  isReplayable,
  retentionMs,
  type IdempotencyRecord,
} from './idempotency-decision.js';

const now = 1_800_000_000_000;
const running: IdempotencyRecord = { fingerprint: 'a', createdAtMs: now, response: undefined, claimedUntilMs: now + claimMs };
const completed = { ...running, response: Buffer.from('{}'), claimedUntilMs: undefined };
const freed = { ...running, claimedUntilMs: undefined };

describe('what becomes of a repeated key', () => {
  it.each([
    ['replay', 'an answered one', { record: completed, fingerprint: 'a', at: now }],
    ['reused', 'an answered one with another request', { record: completed, fingerprint: 'b', at: now }],
    ['in-progress', 'one that runs', { record: running, fingerprint: 'a', at: now + claimMs - 1 }],
    ['reused', 'one that runs with another request', { record: running, fingerprint: 'b', at: now }],
    ['resume', 'one whose process has died', { record: running, fingerprint: 'a', at: now + claimMs }],
    ['resume', 'one that was freed', { record: freed, fingerprint: 'a', at: now }],
    ['reused', 'one that was freed, with another request', { record: freed, fingerprint: 'b', at: now }],
    ['replay', 'one of almost a day ago', { record: completed, fingerprint: 'a', at: now + retentionMs - 1 }],
    ['begin', 'one of a day ago', { record: completed, fingerprint: 'a', at: now + retentionMs }],
    ['begin', 'one of a day ago with another request', { record: completed, fingerprint: 'b', at: now + retentionMs }],
  ] as const)('%s for %s', (decision, _words, { record, fingerprint, at }) => {
    expect(decideIdempotency(record, fingerprint, at)).toBe(decision);
  });
});

describe('answers', () => {
  it.each([200, 201, 204, 400, 404, 409, 413, 422])('%d is kept', (status) => expect(isReplayable(status)).toBe(true));
  it.each([301, 401, 403, 429, 500, 503, 504])('%d frees the key', (status) => expect(isReplayable(status)).toBe(false));
});

describe('a key', () => {
  it.each(['0b5c2e4a-1f7d-4c3b-9a8e-5d6f7a8b9c0d', '0B5C2E4A-1F7D-4C3B-9A8E-5D6F7A8B9C0D'])('may be %s', (text) => {
    expect(isIdempotencyKey(text)).toBe(true);
  });
  it.each([
    '',
    'x',
    '0b5c2e4a-1f7d-1c3b-9a8e-5d6f7a8b9c0d',
    '0b5c2e4a-1f7d-4c3b-7a8e-5d6f7a8b9c0d',
    '0b5c2e4a1f7d4c3b9a8e5d6f7a8b9c0d',
  ])('may not be %j', (text) => expect(isIdempotencyKey(text)).toBe(false));
});
