import { StrKey } from '@stellar/stellar-sdk';
import type { Envelope } from '@holdfast/contracts/messages';
import { systemClock } from '@holdfast/kernel/context';
import { eventually } from '@holdfast/testing/eventually';
import { serviceTestClient } from '@holdfast/testing/services';
import { aCreatedContract, aFundedContract, requestFunding, requestSettlement, type TestOrder } from './testing/orders.js';
import { releaseOutside } from './testing/outside-steps.js';
import { runOf, startResolving, system, type Resolving } from './testing/resolving.js';
import type { RunningAdapter } from './testing/running-adapter.js';
import { checkContracts } from './use-cases/check-contracts.js';

let resolving: Resolving;
let adapter: RunningAdapter;
let outage: Resolving['outage'];

beforeAll(async () => {
  resolving = await startResolving();
  ({ adapter, outage } = resolving);
});

afterEach(() => {
  outage.end();
});

afterAll(() => adapter.stop());

const transactionsOf = (command: Envelope) =>
  adapter.database.asAdmin<{ readonly step: string; readonly state: string }>(
    `select step, state from escrow_adapter.ledger_transactions where intent_id = $1 order by created_at`,
    [command.id],
  );

/** The worker that was held continues; it must find that its intent is closed. */
async function releaseWorker(): Promise<void> {
  outage.end();
  await workerIdle();
}

/** No source account is in use. */
async function workerIdle(): Promise<void> {
  const running = `select 1 from escrow_adapter.leases where until > now()`;
  await eventually(async () => expect(await adapter.database.asAdmin(running)).toHaveLength(0));
}

async function aContradictedRefund(): Promise<{ readonly order: TestOrder; readonly command: Envelope; readonly hash: string }> {
  const order = await aFundedContract(adapter);
  const hash = await releaseOutside(adapter, order);
  const command = await requestSettlement(adapter, order, { decision: 'REFUND' });
  await adapter.waitForReply(order.orderId, 'escrow.settlement_contradicted');
  return { order, command, hash };
}

const unknownContract = StrKey.encodeContract(Buffer.alloc(32, 1));
const noContract = `C${'A'.repeat(55)}`;

describe('a deployment that has moved something else than it must', () => {
  it('succeeds with its contract, once an operator has looked', async () => {
    const order = await resolving.aMismatchedContract();
    const { contractId } = order;
    const transactionHash = await resolving.landedHash(order);
    expect(await transactionsOf(order.command)).toEqual([{ step: 'deploy', state: 'MISMATCHED' }]);
    expect(resolving.repliesIn(order.command)).toEqual([]);
    const response = await resolving.resolve(order.command, { outcome: 'succeeded', transactionHash, contractId });
    expect([response.status, response.data]).toEqual([
      200,
      { status: 'RESOLVED', orderId: order.orderId, outcome: 'succeeded', requestedBy: 'Ada', approvedBy: null },
    ]);
    const reply = await adapter.waitForReply(order.orderId, 'escrow.created');
    expect(reply.payload).toMatchObject({ providerContractId: contractId, amount: '100.00' });
    expect(await adapter.first.adapter.deps.contracts.find(order.escrowId)).toMatchObject({
      status: 'CREATED',
      contractId,
    });
    await eventually(() =>
      expect(resolving.auditsOf(order)).toMatchObject([
        {
          action: 'SAGA_RESOLVED',
          actorType: 'operator',
          actorId: 'Ada',
          reason: 'ticket 7',
          before: { step: 'deploy', contractStatus: 'REQUESTED' },
          after: { outcome: 'succeeded', transactionHash, contractId, reply: 'escrow.created' },
        },
      ]),
    );
  });

  it('fails, and a repeated command gets the same answer and publishes nothing', async () => {
    const order = await resolving.aMismatchedContract();
    const [first, again] = [
      await resolving.resolve(order.command, { outcome: 'failed' }),
      await resolving.resolve(order.command, { outcome: 'failed' }),
    ];
    expect([first.status, again.status, again.data]).toEqual([200, 200, first.data]);
    await adapter.waitForReply(order.orderId, 'escrow.creation_failed');
    await eventually(() => expect(resolving.auditsOf(order)).toHaveLength(1));
    const [intent] = await adapter.database.asAdmin<{ readonly types: readonly string[] }>(
      `select jsonb_path_query_array(replies, '$[*].type') as types from escrow_adapter.intents where id = $1`,
      [order.command.id],
    );
    expect(intent?.types).toEqual(['escrow.creation_failed']);
    const other = await resolving.resolve(order.command, { outcome: 'failed', by: 'Grace' });
    expect([other.status, other.details['reason']]).toEqual([409, expect.stringContaining('Ada resolved it as failed')]);
  });

  it('is not resolved without proof of the success', async () => {
    const order = await resolving.aMismatchedContract();
    const transactionHash = await resolving.landedHash(order);
    const reasons = [
      await resolving.resolve(order.command, { outcome: 'succeeded' }),
      await resolving.resolve(order.command, { outcome: 'succeeded', transactionHash }),
      await resolving.resolve(order.command, {
        outcome: 'succeeded',
        transactionHash: 'f'.repeat(64),
        contractId: order.contractId,
      }),
      await resolving.resolve(order.command, { outcome: 'succeeded', transactionHash, contractId: unknownContract }),
      await resolving.resolve(order.command, { outcome: 'succeeded', transactionHash, contractId: noContract }),
    ].map(({ status, details }) => `${status} ${String(details['reason'])}`);
    expect(reasons).toEqual([
      '409 a success needs the hash of its transaction as proof',
      '409 a deployment needs its contract id',
      `409 transaction ${'f'.repeat(64)} is not a deployment of this run that has landed`,
      `409 the ledger network has no contract ${unknownContract}`,
      `409 the ledger network has no contract ${noContract}`,
    ]);
    expect((await resolving.resolve(order.command, { outcome: 'failed' })).status).toBe(200);
  });

  it('is not resolved with the contract of another order', async () => {
    const other = await aCreatedContract(adapter);
    const contractId = (await adapter.first.adapter.deps.contracts.find(other.escrowId))?.contractId;
    const order = await resolving.aMismatchedContract();
    const proof = { transactionHash: await resolving.landedHash(order), contractId };
    const refused = await resolving.resolve(order.command, { outcome: 'succeeded', ...proof });
    expect([refused.status, refused.details['reason']]).toEqual([
      409,
      `contract ${contractId ?? ''} does not belong to the order`,
    ]);
    expect((await resolving.resolve(order.command, { outcome: 'failed' })).status).toBe(200);
  });
});

describe('a funding whose worker does not come back', () => {
  it.each([
    ['succeeded', 'escrow.funded', 'FUNDED'],
    ['failed', 'escrow.funding_failed', 'CREATED'],
  ] as const)('is resolved as %s, and the late worker submits nothing', async (outcome, type, status) => {
    const order = await aCreatedContract(adapter);
    const command = await resolving.waitUntilHeld(
      ({ does }) => does === 'fund',
      () => requestFunding(adapter, order),
    );
    const proof = outcome === 'succeeded' ? { transactionHash: await resolving.fundOutside(order) } : {};
    expect((await resolving.resolve(command, { outcome, ...proof })).status).toBe(200);
    await adapter.waitForReply(order.orderId, type);
    await releaseWorker();
    expect(await transactionsOf(command)).toEqual([]);
    expect(resolving.repliesIn(command).map((reply) => reply.type)).toEqual([type]);
    expect(await adapter.first.adapter.deps.contracts.find(order.escrowId)).toMatchObject({ status });
  });

  it('is not resolved with a transaction that pays nothing into its contract', async () => {
    const order = await aCreatedContract(adapter);
    const command = await resolving.waitUntilHeld(
      ({ does }) => does === 'fund',
      () => requestFunding(adapter, order),
    );
    const hashes = [await resolving.landedHash(order), 'f'.repeat(64)];
    const reasons = await Promise.all(
      hashes.map(
        async (transactionHash) =>
          (await resolving.resolve(command, { outcome: 'succeeded', transactionHash })).details['reason'],
      ),
    );
    expect(reasons).toEqual([
      expect.stringMatching(/^transaction \w+ pays nothing into the contract C\w+$/),
      expect.stringMatching(/^the ledger network has no successful transaction f+$/),
    ]);
    await releaseWorker();
    await adapter.waitForReply(order.orderId, 'escrow.funded');
  });

  it('is not resolved by a replica while it can still end by itself', async () => {
    const order = await aCreatedContract(adapter);
    const { url } = await adapter.another({ ...outage, resolvableAfterMs: 600_000 });
    const secret = adapter.database.internalSecret;
    const replica = serviceTestClient({ service: 'escrow-adapter', url, secret, clock: systemClock() });
    const command = await resolving.waitUntilHeld(
      ({ does }) => does === 'fund',
      () => requestFunding(adapter, order),
    );
    const body = { by: 'Ada', evidence: 'ticket 7', outcome: 'failed' };
    const young = await replica.post(`/internal/saga-runs/${runOf(command)}/resolve`, body, system);
    expect([young.status, young.details['reason']]).toEqual([409, 'it can still end by itself, or is aborted at its deadline']);
    await releaseWorker();
    await adapter.waitForReply(order.orderId, 'escrow.funded');
  });

  it('has one outcome when its worker and an operator end it at once', async () => {
    const order = await aCreatedContract(adapter);
    const command = await requestFunding(adapter, order);
    const isResolved = await eventually(async () => {
      const { status, details } = await resolving.resolve(command, { outcome: 'failed' });
      if (status === 200) return true;
      if (String(details['reason']).includes('has ended')) return false;
      throw new Error(`still undecided: ${status}`);
    });
    const type = isResolved ? 'escrow.funding_failed' : 'escrow.funded';
    await adapter.waitForReply(order.orderId, type);
    await workerIdle();
    expect(resolving.repliesIn(command).map((reply) => reply.type)).toEqual([type]);
    expect(await transactionsOf(command)).toEqual(isResolved ? [] : [{ step: 'fund', state: 'LANDED' }]);
  });

  it('is not resolved while its transaction may still land', async () => {
    const order = await aCreatedContract(adapter);
    outage.now.losesSubmissions = true;
    const command = await requestFunding(adapter, order);
    await eventually(async () => expect(await transactionsOf(command)).toMatchObject([{ state: 'OPEN' }]));
    const refused = await resolving.resolve(command, { outcome: 'failed' });
    expect([refused.status, refused.details['reason']]).toEqual([409, expect.stringContaining('may still land')]);
    outage.now.losesSubmissions = false;
    await adapter.waitForReply(order.orderId, 'escrow.funded');
    const late = await resolving.resolve(command, { outcome: 'failed' });
    expect([late.status, late.details['reason']]).toEqual([409, expect.stringContaining('has ended with escrow.funded')]);
  });
});

describe('a settlement', () => {
  it('that was contradicted fails, and what was paid outside is then published', async () => {
    const { order, command } = await aContradictedRefund();
    expect((await resolving.resolve(command, { outcome: 'failed' })).status).toBe(200);
    expect((await adapter.waitForReply(order.orderId, 'escrow.settlement_failed')).payload).toMatchObject({ isDisputed: false });
    await checkContracts(adapter.first.adapter.deps, 0);
    const { sagaRunId, payload } = await adapter.waitForReply(order.orderId, 'escrow.released');
    expect([sagaRunId, payload]).toEqual([undefined, expect.objectContaining({ netAmount: '95.00' })]);
  });

  it('that was contradicted succeeds as it was decided', async () => {
    const { order, command, hash } = await aContradictedRefund();
    expect((await resolving.resolve(command, { outcome: 'succeeded', transactionHash: hash })).status).toBe(200);
    const { payload } = await adapter.waitForReply(order.orderId, 'escrow.refunded');
    expect(payload).toMatchObject({ amount: '100.00', buyerId: order.buyerId });
    await checkContracts(adapter.first.adapter.deps, 0);
    expect(resolving.repliesIn(command).map(({ type }) => type)).toEqual(['escrow.refunded']);
  });

  it('that has been paid out in part is not resolved, and continues when it can', async () => {
    const order = await aFundedContract(adapter, { parts: ['40.00', '60.00'] });
    outage.now.unreachable = (step) => step.does === 'release' && step.index === 1;
    const command = await requestSettlement(adapter, order, { decision: 'RELEASE' });
    const landed = expect.arrayContaining([{ step: 'release:0', state: 'LANDED' }]);
    await eventually(async () => expect(await transactionsOf(command)).toEqual(landed));
    const transactionHash = await resolving.landedHash(order, 'release:0');
    const refused = [
      await resolving.resolve(command, { outcome: 'failed' }),
      await resolving.resolve(command, { outcome: 'succeeded', transactionHash }),
    ];
    expect(refused.map(({ status, details }) => [status, details['reason']])).toEqual([
      [409, expect.stringContaining('can only be resolved as succeeded')],
      [409, 'the contract holds 60.00 of 100.00 USD; a success needs a contract that has paid out everything'],
    ]);
    outage.now.unreachable = undefined;
    await adapter.waitForReply(order.orderId, 'escrow.released');
    await workerIdle();
    expect((await transactionsOf(command)).map(({ step }) => step)).toContain('release:1');
    expect(resolving.repliesIn(command).map(({ type }) => type)).toEqual(['escrow.released']);
  });
});

it('a run without an intent is not found', async () => {
  const unknown = await adapter.post(
    `/internal/saga-runs/${adapter.newId('run')}/resolve`,
    { by: 'Ada', evidence: 'none', outcome: 'failed' },
    system,
  );
  expect([unknown.status, unknown.code]).toEqual([404, 'NOT_FOUND']);
});
