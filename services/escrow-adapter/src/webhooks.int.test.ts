import { readFileSync } from 'node:fs';
import type { Envelope } from '@holdfast/contracts/messages';
import { eventually } from '@holdfast/testing/eventually';
import { landedHashes } from './testing/landed-transactions.js';
import { buyerOf, doOutside, refundOutside, releaseOutside, sellerOf } from './testing/outside-steps.js';
import { aCreatedContract, aFundedContract, type TestOrder } from './testing/orders.js';
import { startAdapter, type RunningAdapter } from './testing/running-adapter.js';
import { contractsOf } from './testing/sandbox-state.js';
import { sendWebhook, type Signature } from './testing/send-webhook.js';
import { checkContracts } from './use-cases/check-contracts.js';

const unknownHash = 'a'.repeat(64);

describe('POST /webhooks/escrow-provider', () => {
  let adapter: RunningAdapter;
  beforeAll(async () => {
    adapter = await startAdapter();
  });
  afterAll(() => adapter.stop());

  type Sent = { readonly type: string; readonly data: Readonly<Record<string, unknown>>; readonly eventId?: string };

  function send({ type, data, eventId = adapter.newId('whe') }: Sent, signature: Signature = 'right') {
    return sendWebhook(adapter, JSON.stringify({ type, event_id: eventId, data }), signature);
  }

  const publishedAbout = ({ orderId }: TestOrder): readonly Envelope[] =>
    adapter.published.filter(({ payload }) => Object.values(payload as object).includes(orderId));
  const resultOf = async (eventId: string) => {
    const sql = 'select result, note, is_signed as "isSigned" from escrow_adapter.webhook_events where provider_event_id = $1';
    return (await adapter.database.asAdmin<{ readonly result: string | null; readonly note: string }>(sql, [eventId]))[0];
  };
  const contractIdOf = async ({ orderId }: TestOrder): Promise<string> =>
    (await contractsOf(adapter, orderId))[0]?.contractId ?? '';

  it('401 WEBHOOK_SIGNATURE_INVALID for a wrong signature, and the event is not stored', async () => {
    const order = await aFundedContract(adapter);
    const eventId = adapter.newId('whe');
    const received = await send({ type: 'escrow.released', data: { contract_id: await contractIdOf(order) }, eventId }, 'wrong');
    expect(received).toMatchObject({ status: 401, body: { error: { code: 'WEBHOOK_SIGNATURE_INVALID' } } });
    expect(await resultOf(eventId)).toBeUndefined();
  });

  it('200 for an unknown contract and null fields', async () => {
    const eventId = adapter.newId('whe');
    const data = { contract_id: 'CNOBODY', milestone_ref: null, order_id: null };
    expect(await send({ type: 'escrow.funded', data, eventId })).toEqual({
      status: 200,
      body: { status: 'ok', processed: true },
    });
    expect(await resultOf(eventId)).toMatchObject({ result: 'ignored', note: 'unknown contract' });
  });

  it.each(['right', 'none'] as const)(
    '200 and publishes nothing for a release that did not happen (signature: %s)',
    async (signature) => {
      const order = await aFundedContract(adapter);
      const eventId = adapter.newId('whe');
      const received = await send(
        { type: 'escrow.released', data: { contract_id: await contractIdOf(order) }, eventId },
        signature,
      );
      expect(received.status).toBe(200);
      expect(await resultOf(eventId)).toMatchObject({ result: 'applied', note: 'no change', isSigned: signature === 'right' });
      expect(publishedAbout(order).map(({ type }) => type)).not.toContain('escrow.released');
    },
  );

  it('200 and checks a contract once for many events without a signature, and at once for a signed one', async () => {
    const order = await aFundedContract(adapter);
    const data = { contract_id: await contractIdOf(order) };
    const eventIds = Array.from({ length: 10 }, () => adapter.newId('whe'));
    await Promise.all(eventIds.map((eventId) => send({ type: 'escrow.released', data, eventId }, 'none')));
    const results = await Promise.all(eventIds.map(resultOf));
    expect(results.filter((event) => event?.note === 'no change')).toHaveLength(1);
    expect(results.filter((event) => event?.note === 'too many events without a signature')).toHaveLength(9);
    const signed = adapter.newId('whe');
    await send({ type: 'escrow.released', data, eventId: signed });
    expect(await resultOf(signed)).toMatchObject({ result: 'applied', note: 'no change' });
  });

  it('200 and ignores an event whose transaction is not on the network, after several checks', async () => {
    const order = await aFundedContract(adapter);
    const eventId = adapter.newId('whe');
    await send({
      type: 'escrow.released',
      data: { contract_id: await contractIdOf(order), transaction_hash: unknownHash },
      eventId,
    });
    const note = 'the transaction is not on the ledger network';
    expect(await resultOf(eventId)).toMatchObject({ result: null, note });
    await adapter.database.asAdmin('update escrow_adapter.webhook_events set attempts = 11 where provider_event_id = $1', [
      eventId,
    ]);
    await eventually(async () => expect(await resultOf(eventId)).toMatchObject({ result: 'ignored', note }));
    expect(publishedAbout(order).map(({ type }) => type)).not.toContain('escrow.released');
  });

  it('200 and does not store an event about a transaction of our own', async () => {
    const order = await aFundedContract(adapter);
    const hash = (await landedHashes(adapter, order.orderId)).at(-1);
    const eventId = adapter.newId('whe');
    await send({ type: 'escrow.funded', data: { contract_id: await contractIdOf(order), transaction_hash: hash }, eventId });
    expect(await resultOf(eventId)).toBeUndefined();
    expect(publishedAbout(order).map(({ type }) => type)).toEqual(['escrow.created', 'escrow.funded']);
  });

  it.each(['right', 'none'] as const)('200 and publishes an external release once (signature: %s)', async (signature) => {
    const order = await aFundedContract(adapter);
    const hash = await releaseOutside(adapter, order);
    const data = { contract_id: await contractIdOf(order), transaction_hash: hash };
    adapter.acknowledgeOnly(() => false);
    await send({ type: 'escrow.released', data }, signature);
    const published = await adapter.waitForReply(order.orderId, 'escrow.released');
    expect(published.payload).toMatchObject({
      amount: '100.00',
      platformFee: '5.00',
      netAmount: '95.00',
      sellerId: order.sellerId,
    });
    expect([published.saga, published.sagaRunId]).toEqual(['release', undefined]);
    // No run resends it, so it is repeated until it is acknowledged.
    const awaited = await adapter.database.asAdmin('select awaits from escrow_adapter.outbox where message_id = $1', [
      published.id,
    ]);
    expect(awaited).toEqual([{ awaits: ['ledger-balance', 'orders'] }]);
    adapter.acknowledgeOnly(() => true);
    await send({ type: 'escrow.released', data }, signature);
    await checkContracts(adapter.first.adapter.deps, 0);
    expect(publishedAbout(order).map(({ type }) => type)).toEqual([
      'escrow.created',
      'escrow.funded',
      'escrow.milestone_seen',
      'escrow.released',
    ]);
  });

  it('200 and publishes an external dispute and milestone', async () => {
    const order = await aFundedContract(adapter, { parts: ['60.00', '40.00'] });
    await doOutside(adapter, order, { does: 'complete', index: 1 }, sellerOf(order));
    await doOutside(adapter, order, { does: 'dispute', index: 0 }, buyerOf(order));
    await send({ type: 'escrow.disputed', data: { contract_id: await contractIdOf(order) } }, 'none');
    expect((await adapter.waitForReply(order.orderId, 'escrow.milestone_seen')).payload).toMatchObject({
      milestoneRef: 'part-1',
    });
    await adapter.waitForReply(order.orderId, 'escrow.dispute_seen');
  });

  it.each(['escrow.refunded', 'escrow.released'])(
    '200 and publishes whom an external resolution has paid on the network, although the event says %s',
    async (type) => {
      const order = await aFundedContract(adapter);
      const hash = await refundOutside(adapter, order);
      const contract_id = await contractIdOf(order);
      await send({ type, data: { contract_id } });
      expect(publishedAbout(order).map((message) => message.type)).toEqual(['escrow.created', 'escrow.funded']);
      await send({ type, data: { contract_id, transaction_hash: hash } }, 'none');
      await adapter.waitForReply(order.orderId, 'escrow.refunded');
      expect(publishedAbout(order).map((message) => message.type)).not.toContain('escrow.released');
    },
  );

  it('200 for a duplicate, which is stored once', async () => {
    const order = await aCreatedContract(adapter);
    const event = { type: 'escrow.created', data: { contract_id: await contractIdOf(order) }, eventId: adapter.newId('whe') };
    expect(await send(event)).toEqual(await send(event));
    const rows = await adapter.database.asAdmin('select 1 from escrow_adapter.webhook_events where provider_event_id = $1', [
      event.eventId,
    ]);
    expect(rows).toHaveLength(1);
  });

  it('that the version before has left is moved by the migration, and handled', async () => {
    const [open, done, odd] = [adapter.newId('whe'), adapter.newId('whe'), adapter.newId('whe')];
    const insert = `
      insert into escrow_adapter.provider_events (
        event_id, id, type, contract_id, is_signed, received_at, processed_at, attempts, due_at, result
      )
      values ($1, $1, 'escrow.released', $2, true, now(), $3, 1, now(), $4)`;
    await adapter.database.asAdmin(insert, [open, await contractIdOf(await aFundedContract(adapter)), null, 'the check failed']);
    await adapter.database.asAdmin(insert, [done, 'CNOBODY', new Date(0), 'unknown contract']);
    await adapter.database.asAdmin(`insert into escrow_adapter.ignored_provider_events values ($1, 'odd', now())`, [odd]);
    const file = new URL('../migrations/0005-events-in-the-webhook-inbox.sql', import.meta.url);
    await adapter.database.asAdmin(`begin; set local search_path = escrow_adapter; ${readFileSync(file, 'utf8')}; commit`);
    await eventually(async () => expect(await resultOf(open)).toMatchObject({ result: 'applied', note: 'no change' }));
    expect(await resultOf(done)).toMatchObject({ result: 'ignored', note: 'unknown contract' });
    expect(await resultOf(odd)).toMatchObject({ result: 'ignored', note: 'unknown type or format' });
  });

  it('is not needed: the check of contracts publishes an external release without an event', async () => {
    const order = await aFundedContract(adapter);
    await releaseOutside(adapter, order);
    await eventually(async () => {
      await checkContracts(adapter.first.adapter.deps, 0);
      expect(publishedAbout(order).map(({ type }) => type)).toContain('escrow.released');
    });
  });
});
