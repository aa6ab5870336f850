import { createHash } from 'node:crypto';
import { countedHeader, overLimitHeader } from '@holdfast/http/server';
import { aFundedContract } from './testing/orders.js';
import { startAdapter, type RunningAdapter } from './testing/running-adapter.js';
import { forwardWebhook, sendWebhook, type Signature } from './testing/send-webhook.js';

let adapter: RunningAdapter;
beforeAll(async () => {
  adapter = await startAdapter();
});
afterAll(() => adapter.stop());

const accepted = { status: 200, body: { status: 'ok', processed: true } };
const bytesMax = 256 * 1024;
const text = (body: unknown): string => JSON.stringify(body);

/** Bodies that no event can be read from, each with a provider event id of its own where it has a valid one. */
const oddBodies: Readonly<Record<string, (eventId: string) => string | Uint8Array>> = {
  'an unknown type': (event_id) => text({ type: 'escrow.exploded', event_id, data: { contract_id: 'C1' } }),
  'a numeric type': (event_id) => text({ type: 7, event_id, data: { contract_id: 'C1' } }),
  'no type': (event_id) => text({ event_id, data: { contract_id: 'C1' } }),
  'no data': (event_id) => text({ type: 'escrow.funded', event_id }),
  'data that is null': (event_id) => text({ type: 'escrow.funded', event_id, data: null }),
  'data that is an array': (event_id) => text({ type: 'escrow.funded', event_id, data: ['C1'] }),
  'no contract id': (event_id) => text({ type: 'escrow.funded', event_id, data: {} }),
  'a numeric contract id': (event_id) => text({ type: 'escrow.funded', event_id, data: { contract_id: 7 } }),
  'a contract id with NUL': (event_id) => text({ type: 'escrow.funded', event_id, data: { contract_id: 'C\u0000' } }),
  'a contract id that is too long': (event_id) =>
    text({ type: 'escrow.funded', event_id, data: { contract_id: 'C'.repeat(256) } }),
  'a transaction hash that is an object': (event_id) =>
    text({ type: 'escrow.funded', event_id, data: { contract_id: 'C1', transaction_hash: {} } }),
  'the largest body': (event_id) => {
    const event = { type: 'escrow.exploded', event_id, data: '' };
    return text({ ...event, data: 'x'.repeat(bytesMax - text(event).length) });
  },
};

/** Bodies without a usable event id; the seed makes each body unique. */
const namelessBodies: Readonly<Record<string, (seed: string) => string | Uint8Array>> = {
  'no event id': (seed) => text({ type: 'escrow.funded', data: { contract_id: seed } }),
  'a numeric event id': (seed) => text({ type: 'escrow.funded', event_id: 7, data: { contract_id: seed } }),
  'an empty event id': (seed) => text({ type: 'escrow.funded', event_id: '', data: { contract_id: seed } }),
  'an event id with NUL': (seed) => text({ type: 'escrow.funded', event_id: `${seed}\u0000`, data: { contract_id: 'C1' } }),
  'an event id that is too long': (seed) =>
    text({ type: 'escrow.funded', event_id: seed.padEnd(256, 'x'), data: { contract_id: 'C1' } }),
  'a number': (seed) => `0.${Buffer.from(seed).join('')}`,
  'a text': (seed) => text(seed),
  'an array': (seed) => text([{ type: 'escrow.funded', event_id: seed, data: { contract_id: 'C1' } }]),
  'no JSON': (seed) => `type=escrow.funded&event_id=${seed}`,
  'truncated JSON': (seed) => `{"type":"escrow.funded","event_id":"${seed}"`,
  'bytes that are not UTF-8': (seed) => Buffer.concat([Buffer.from(seed), Buffer.from([0xff, 0x00, 0xfe])]),
  'arrays in 100,000 levels': (seed) => `["${seed}",${'['.repeat(100_000)}${']'.repeat(100_000)}]`,
  'objects in 40,000 levels': (seed) => `{"seed":"${seed}","data":${'{"a":'.repeat(40_000)}null${'}'.repeat(40_000)}}`,
};

const hashOf = (body: string | Uint8Array): string => `sha256:${createHash('sha256').update(body).digest('hex')}`;

/** The hashes of the stored bodies; comparing large buffers byte by byte takes seconds. */
async function ignoredHashes(eventId: string): Promise<readonly string[]> {
  const sql = `select body from escrow_adapter.webhook_events where provider_event_id = $1 and note = 'unknown type or format'`;
  return (await adapter.database.asAdmin<{ readonly body: Buffer }>(sql, [eventId])).map(({ body }) => hashOf(body));
}

async function ignoredCount(): Promise<number> {
  const metrics = await adapter.first.metrics.registry.metrics();
  return Number(/^holdfast_webhook_events_total\{outcome="ignored",.*\} (\d+)$/m.exec(metrics)?.[1] ?? 0);
}

describe('POST /webhooks/escrow-provider, validly signed', () => {
  it.each(Object.entries(oddBodies))('200 with %s, which is stored by its event id, counted and ignored', async (_, bodyFor) => {
    const eventId = adapter.newId('whe');
    const body = bodyFor(eventId);
    const before = await ignoredCount();
    expect(await sendWebhook(adapter, body, 'right')).toEqual(accepted);
    expect(await ignoredHashes(eventId)).toEqual([hashOf(body)]);
    expect(await ignoredCount()).toBe(before + 1);
  });

  it.each(Object.entries(namelessBodies))('200 with %s, which is stored by its hash', async (_, bodyFor) => {
    const body = bodyFor(adapter.newId('whe'));
    expect(await sendWebhook(adapter, body, 'right')).toEqual(accepted);
    expect(await ignoredHashes(hashOf(body))).toEqual([hashOf(body)]);
  });

  it('200 for an empty body', async () => {
    expect(await sendWebhook(adapter, '', 'right')).toEqual(accepted);
    expect(await ignoredHashes(hashOf(''))).toHaveLength(1);
  });

  it('200 for a duplicate of an ignored event, which is stored and counted once, with the first body', async () => {
    const event_id = adapter.newId('whe');
    const [first, other] = ['escrow.exploded', 'escrow.imploded'].map((type) => text({ type, event_id }));
    const before = await ignoredCount();
    for (const body of [first, first, other]) expect(await sendWebhook(adapter, body ?? '', 'right')).toEqual(accepted);
    expect(await ignoredHashes(event_id)).toEqual([hashOf(first ?? '')]);
    expect(await ignoredCount()).toBe(before + 1);
  });

  it('200 for a known event whose event id was used before, which is not handled again', async () => {
    const order = await aFundedContract(adapter);
    const { contractId = '' } = (await adapter.first.adapter.deps.contracts.find(order.escrowId)) ?? {};
    const event_id = adapter.newId('whe');
    const bodies = ['CNOBODY', contractId].map((contract_id) =>
      text({ type: 'escrow.released', event_id, data: { contract_id } }),
    );
    for (const body of bodies) expect(await sendWebhook(adapter, body, 'right')).toEqual(accepted);
    expect(await storedNotes(event_id)).toEqual(['unknown contract']);
  });

  it.each([
    ['a numeric amount', { amount: 1_000_000_000 }],
    ['unknown fields', { colour: 'red', nested: [{ deeply: null }] }],
    ['unused fields of other types', { status: {}, created_at: 7, buyer_address: [], milestone_ref: null }],
  ])('200 and checks the contract of an event with %s', async (_, fields) => {
    const order = await aFundedContract(adapter);
    const { contractId: contract_id } = (await adapter.first.adapter.deps.contracts.find(order.escrowId)) ?? {};
    const event_id = adapter.newId('whe');
    const body = text({ type: 'escrow.released', event_id, version: 2, data: { contract_id, ...fields } });
    expect(await sendWebhook(adapter, body, 'right')).toEqual(accepted);
    expect(await storedNotes(event_id)).toEqual(['no change']);
    expect(await ignoredHashes(event_id)).toEqual([]);
  });
});

const unknownTypes = ['an unknown type', 'the largest body'];
const everyBody = Object.entries({ ...oddBodies, ...namelessBodies });

describe('POST /webhooks/escrow-provider, not validly signed', () => {
  const expected: readonly (readonly [Signature, number, string])[] = [
    ['wrong', 401, 'WEBHOOK_SIGNATURE_INVALID'],
    ['none', 400, 'VALIDATION_ERROR'],
  ];
  it.each(expected)(
    'signature %s: %i %s for every body of no known event, and nothing is stored',
    async (signature, status, code) => {
      for (const [name, bodyFor] of everyBody) {
        if (signature === 'none' && unknownTypes.includes(name)) continue;
        const eventId = adapter.newId('whe');
        const body = bodyFor(eventId);
        expect(await sendWebhook(adapter, body, signature)).toMatchObject({ status, body: { error: { code } } });
        expect([await ignoredHashes(eventId), await ignoredHashes(hashOf(body))]).toEqual([[], []]);
      }
    },
  );

  it.each(unknownTypes)('200 processed false for %s without a signature, and nothing is stored', async (name) => {
    const eventId = adapter.newId('whe');
    const body = oddBodies[name]?.(eventId) ?? '';
    expect(await sendWebhook(adapter, body, 'none')).toEqual({ status: 200, body: { status: 'ok', processed: false } });
    expect(await ignoredHashes(eventId)).toEqual([]);
  });
});

describe('POST /webhooks/escrow-provider, for the rate limit of its address', () => {
  const bodies: Readonly<Record<string, () => string>> = {
    known: () => text({ type: 'escrow.funded', event_id: adapter.newId('whe'), data: { contract_id: 'CNOBODY' } }),
    unknown: () => text({ type: 'escrow.exploded' }),
  };

  it.each<readonly [Signature, string, number, string | null]>([
    ['right', 'known', 200, null],
    ['right', 'unknown', 200, null],
    ['none', 'known', 200, 'true'],
    ['none', 'unknown', 200, 'true'],
    ['none', 'malformed', 400, 'true'],
    ['wrong', 'known', 401, 'true'],
  ])('signature %s, an event of a type that is %s: %i, and counted is %s', async (signature, type, status, counted) => {
    const response = await forwardWebhook(adapter, bodies[type]?.() ?? 'malformed', signature);
    expect([response.status, response.headers.get(countedHeader)]).toEqual([status, counted]);
  });

  it.each<readonly [Signature, number]>([
    ['none', 429],
    ['wrong', 429],
    ['right', 200],
  ])('signature %s: %i over the limit, and only a signed event is stored', async (signature, status) => {
    const event_id = adapter.newId('whe');
    const body = text({ type: 'escrow.funded', event_id, data: { contract_id: 'CNOBODY' } });
    expect((await forwardWebhook(adapter, body, signature, { [overLimitHeader]: 'true' })).status).toBe(status);
    expect(await storedNotes(event_id)).toHaveLength(status === 200 ? 1 : 0);
  });
});

async function storedNotes(eventId: string): Promise<readonly string[]> {
  const sql = 'select note from escrow_adapter.webhook_events where provider_event_id = $1';
  return (await adapter.database.asAdmin<{ readonly note: string }>(sql, [eventId])).map(({ note }) => note);
}
