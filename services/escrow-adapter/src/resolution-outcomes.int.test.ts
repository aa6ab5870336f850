import type { Envelope } from '@holdfast/contracts/messages';
import { eventually } from '@holdfast/testing/eventually';
import { aCreatedContract, aFundedContract, requestFunding, requestSettlement } from './testing/orders.js';
import { runOf, startResolving, system, type Resolving } from './testing/resolving.js';
import type { RunningAdapter } from './testing/running-adapter.js';

let resolving: Resolving;
let adapter: RunningAdapter;

beforeAll(async () => {
  resolving = await startResolving();
  ({ adapter } = resolving);
});

afterEach(() => {
  resolving.outage.end();
});

afterAll(() => adapter.stop());

describe('a settlement whose payout the ledger has refused to record', () => {
  const correction = 'escrow.payout_correction_requested';
  const correctionsIn = (command: Envelope) => resolving.inRun(command).filter(({ type }) => type === correction);

  const seller = (amount: string) => ['sellerId', amount] as const;
  const buyer = (amount: string) => ['buyerId', amount] as const;
  const cases = [
    { decision: 'RELEASE', given: {}, step: 'release', paid: [seller('95.00')], platformFee: '5.00' },
    { decision: 'REFUND', given: {}, step: 'resolve', paid: [buyer('100.00')], platformFee: '0.00' },
    {
      decision: 'SPLIT',
      given: { sellerAmount: '60.00' },
      step: 'resolve',
      paid: [seller('57.00'), buyer('40.00')],
      platformFee: '3.00',
    },
  ] as const;

  it.each(cases)('is corrected as the contract has paid: $decision', async ({ decision, given, step, paid, platformFee }) => {
    const order = await aFundedContract(adapter);
    const command = await requestSettlement(adapter, order, { decision, ...given });
    const payout = await adapter.waitForReply(order.orderId, 'escrow.released', 'escrow.refunded');
    const refused = await resolving.resolve(command, { outcome: 'failed' });
    expect([refused.status, refused.details['reason']]).toEqual([409, expect.stringContaining('contract has paid')]);

    const proved = { outcome: 'succeeded', transactionHash: await resolving.landedHash(order, step) };
    const [first, again] = [await resolving.resolve(command, proved), await resolving.resolve(command, proved)];
    expect([first.status, again.status, again.data]).toEqual([200, 200, first.data]);
    const request = await adapter.waitForReply(order.orderId, correction);
    const payouts = paid.map(([party, amount]) => ({ userId: order[party], amount }));
    expect(request).toMatchObject({ saga: command.saga, sagaRunId: runOf(command), afterEventId: payout.id });
    expect(request.payload).toMatchObject({ payoutId: payout.id, payouts, platformFee });
    await eventually(() =>
      expect(resolving.auditsOf(order)).toMatchObject([{ action: 'SAGA_RESOLVED', after: { reply: correction } }]),
    );

    await adapter.republish(command);
    await eventually(() => expect(correctionsIn(command)).toHaveLength(2));
    expect(new Set(correctionsIn(command).map(({ id }) => id)).size).toBe(1);
  });
});

describe('GET /internal/saga-runs/{id}/resolution', () => {
  const get = (runId: string) => adapter.get(`/internal/saga-runs/${runId}/resolution`, system);

  it('200 shows what waits for a second person, then how it was resolved', async () => {
    const order = await resolving.aMismatchedContract({ parts: ['600.00'] });
    await resolving.resolve(order.command, { outcome: 'failed' });
    const pending = await get(runOf(order.command));
    expect([pending.status, pending.data]).toEqual([
      200,
      { status: 'PENDING_APPROVAL', orderId: order.orderId, outcome: 'failed', requestedBy: 'Ada', approvedBy: null },
    ]);
    await resolving.resolve(order.command, { outcome: 'failed', by: 'Grace' });
    expect((await get(runOf(order.command))).data).toMatchObject({ status: 'RESOLVED', requestedBy: 'Ada', approvedBy: 'Grace' });
  });

  it('404 NOT_FOUND for a run without a resolution', async () => {
    const order = await aCreatedContract(adapter);
    const open = await get(runOf(order.command));
    const unknown = await get(adapter.newId('run'));
    expect([open.status, open.code, unknown.status]).toEqual([404, 'NOT_FOUND', 404]);
  });
});

describe('a run of an order above the approval amount', () => {
  const large = { parts: ['600.00'] };

  it('waits for a second person, who must confirm the same outcome', async () => {
    const order = await resolving.aMismatchedContract(large);
    const asks = async (by: string, outcome: string) => {
      const { status, data, details } = await resolving.resolve(order.command, { by, outcome });
      return status === 200 ? data.status : details['reason'];
    };
    const proof = { transactionHash: await resolving.landedHash(order), contractId: order.contractId };
    expect(await asks('Ada', 'failed')).toBe('PENDING_APPROVAL');
    expect(await asks('Ada', 'failed')).toBe('PENDING_APPROVAL');
    expect(await asks(' ADA ', 'failed')).toBe('PENDING_APPROVAL');
    const other = await resolving.resolve(order.command, { by: 'Grace', outcome: 'succeeded', ...proof });
    expect([other.status, other.details['reason']]).toEqual([409, expect.stringContaining('Ada requested "failed"')]);
    expect(resolving.repliesIn(order.command)).toEqual([]);
    expect(
      (await resolving.resolve(order.command, { by: 'Grace', outcome: 'failed', evidence: 'I looked, too' })).data,
    ).toMatchObject({
      status: 'RESOLVED',
      requestedBy: 'Ada',
      approvedBy: 'Grace',
    });
    await adapter.waitForReply(order.orderId, 'escrow.creation_failed');
    await eventually(() =>
      expect(resolving.auditsOf(order).map(({ action, actorId, reason }) => [action, actorId, reason])).toEqual([
        ['SAGA_RESOLVE_REQUESTED', 'Ada', 'ticket 7'],
        ['SAGA_RESOLVED', 'Grace', 'I looked, too'],
      ]),
    );
  });

  it('is resolved once when two persons decide at once', async () => {
    const order = await resolving.aMismatchedContract(large);
    const persons = ['Ada', 'Grace', 'Ada', 'Grace'];
    const responses = await Promise.all(persons.map((by) => resolving.resolve(order.command, { by, outcome: 'failed' })));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    await adapter.waitForReply(order.orderId, 'escrow.creation_failed');
    await eventually(() =>
      expect(resolving.auditsOf(order).map(({ action }) => action)).toEqual(['SAGA_RESOLVE_REQUESTED', 'SAGA_RESOLVED']),
    );
    expect(new Set(resolving.repliesIn(order.command).map(({ id }) => id)).size).toBe(1);
  });
});

it('a funding whose transaction no node remembers fails by the word of an operator, and frees the source account', async () => {
  const { outage, resolve } = resolving;
  const order = await aCreatedContract(adapter);
  Object.assign(outage.now, { losesSubmissions: true, forgets: true });
  const command = await requestFunding(adapter, order);
  const states = () =>
    adapter.database.asAdmin(`select step, state from escrow_adapter.ledger_transactions where intent_id = $1`, [command.id]);
  await eventually(async () => expect(await states()).toEqual([{ step: 'fund', state: 'OPEN' }]));
  await adapter.database.asAdmin(
    `update escrow_adapter.ledger_transactions set valid_until = now() - interval '2 days' where intent_id = $1`,
    [command.id],
  );
  expect((await resolve(command, { outcome: 'failed' })).status).toBe(200);
  await adapter.waitForReply(order.orderId, 'escrow.funding_failed');
  expect(await states()).toEqual([{ step: 'fund', state: 'DEAD' }]);
});
