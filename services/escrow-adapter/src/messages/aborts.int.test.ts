import { readFileSync } from 'node:fs';
import {
  balanceReservedDeducted,
  escrowAbortRequested,
  escrowDeployRequested,
  escrowSettlementRequested,
  type Envelope,
} from '@holdfast/contracts/messages';
import type { SagaRunId } from '@holdfast/kernel/ids';
import { eventually } from '@holdfast/testing/eventually';
import { aCreatedContract, aFundedContract, requestContract, type TestOrder } from '../testing/orders.js';
import { startAdapter, type RunningAdapter } from '../testing/running-adapter.js';

let adapter: RunningAdapter;

beforeAll(async () => {
  adapter = await startAdapter();
});

afterAll(async () => {
  await adapter.stop();
});

/** A command to the adapter before it is published, and the abort of its run. */
type Pair = { readonly order: TestOrder; readonly command: Envelope; readonly abort: Envelope };

function pairOf(order: TestOrder, command: Envelope): Pair {
  const { escrowId, orderId, amount, currency, buyerId } = order;
  const payload = { escrowId, orderId, amount, currency, buyerId, commandId: adapter.newId('evt') };
  const abort = adapter.make(escrowAbortRequested, escrowId, payload, { saga: command.saga ?? '' });
  return { order, command, abort: inRunOf(abort, command) };
}

function inRunOf(message: Envelope, { sagaRunId }: Envelope): Envelope {
  if (sagaRunId === undefined) throw new Error('the command names no run');
  return { ...message, sagaRunId };
}

const pairs = {
  deploy: async () => {
    const { command: _, ...terms } = await requestContract(adapter);
    const [escrowId, orderId] = [adapter.newId('esc'), adapter.newId('ord')];
    const order = { ...terms, escrowId, orderId };
    const command = adapter.make(escrowDeployRequested, escrowId, order);
    return pairOf({ ...order, command }, command);
  },
  fund: async () => {
    const order = await aCreatedContract(adapter);
    const { orderId, buyerId: userId, amount, currency } = order;
    const balances = { availableBalance: '0.00', reservedBalance: '0.00' };
    const payload = { orderId, userId, amount, currency, ...balances };
    return pairOf(order, adapter.make(balanceReservedDeducted, userId, payload));
  },
  settle: async () => {
    const order = await aFundedContract(adapter);
    const { escrowId, orderId, buyerId, sellerId, amount, currency } = order;
    const amounts = { sellerAmount: '0.00', buyerAmount: amount, platformFee: '0.00' };
    const payload = { escrowId, orderId, buyerId, sellerId, amount, currency, ...amounts, decision: 'REFUND' as const };
    return pairOf(order, adapter.make(escrowSettlementRequested, escrowId, payload, { saga: 'refund' }));
  },
} as const;

const succeeded = { deploy: 'escrow.created', fund: 'escrow.funded', settle: 'escrow.refunded' } as const;
const failed = { deploy: 'escrow.creation_failed', fund: 'escrow.funding_failed', settle: 'escrow.settlement_failed' } as const;
const steps = ['deploy', 'fund', 'settle'] as const;

const inRun = (runId: SagaRunId | undefined) => adapter.published.filter(({ sagaRunId }) => sagaRunId === runId);

/** All messages so far are handled, and all intents are closed. */
async function idle(): Promise<void> {
  const unfinished = `
    select 1 from broker.deliveries
    union all
    select 1 from escrow_adapter.intents where closed_at is null`;
  await eventually(async () => expect(await adapter.database.asAdmin(unfinished)).toHaveLength(0));
}

/** The winner: the command with its intent, or the abort. */
async function stored({ sagaRunId }: Envelope): Promise<readonly string[]> {
  const found = await adapter.database.asAdmin<{ readonly what: string }>(
    `select case kind when 'aborted' then 'abort' else 'intent' end as what from escrow_adapter.intents where saga_run_id = $1`,
    [sagaRunId],
  );
  return found.map(({ what }) => what);
}

describe.each(steps)('the abort of a %s run', (step) => {
  it('before the command refuses it: no intent is stored, and the late command gets the reply again', async () => {
    const { command, abort } = await pairs[step]();
    for (const [nth, message] of [abort, abort, command].entries()) {
      await adapter.republish(message);
      await eventually(() => expect(inRun(command.sagaRunId)).toHaveLength(nth + 1));
      await idle();
    }
    const replies = inRun(command.sagaRunId);
    expect(replies.map(({ type }) => type)).toEqual(Array(3).fill(failed[step]));
    expect(new Set(replies.map(({ id }) => id)).size).toBe(1);
    expect(await stored(command)).toEqual(['abort']);
  });

  it('after the command does nothing: the outcome of the intent ends the run', async () => {
    const { order, command, abort } = await pairs[step]();
    await adapter.republish(command);
    await adapter.waitForReply(order.orderId, succeeded[step]);
    await adapter.republish(abort);
    await idle();
    expect(await stored(command)).toEqual(['intent']);
    expect(inRun(command.sagaRunId).map(({ type }) => type)).toEqual([succeeded[step]]);
  });

  it('and the command at once have one winner', async () => {
    const { command, abort } = await pairs[step]();
    await Promise.all([adapter.republish(command), adapter.republish(abort), adapter.republish(command)]);
    await eventually(() => expect(inRun(command.sagaRunId)).not.toEqual([]));
    await idle();
    const [winner, ...others] = await stored(command);
    expect(others).toEqual([]);
    const types = new Set(inRun(command.sagaRunId).map(({ type }) => type));
    expect([...types]).toEqual([winner === 'intent' ? succeeded[step] : failed[step]]);
  });
});

it('an abort that the version before has stored is moved by the migration, and refuses the late command', async () => {
  const { command, abort } = await pairs.settle();
  const reply = { ...abort, id: adapter.newId('evt'), type: 'escrow.settlement_failed' };
  const payload = { escrowId: abort.aggregateId, orderId: adapter.newId('ord'), reason: 'aborted', isDisputed: false };
  const insert = 'insert into escrow_adapter.aborted_runs (saga_run_id, replies) values ($1, $2)';
  await adapter.database.asAdmin(insert, [command.sagaRunId, JSON.stringify([{ ...reply, payload }])]);
  const file = new URL('../../migrations/0007-aborts-are-stored-as-intents.sql', import.meta.url);
  await adapter.database.asAdmin(`begin; set local search_path = escrow_adapter; ${readFileSync(file, 'utf8')}; commit`);
  await adapter.republish(command);
  await eventually(() => expect(inRun(command.sagaRunId)).toMatchObject([{ id: reply.id, type: reply.type }]));
  expect(await stored(command)).toEqual(['abort']);
});

it('the reply to an aborted fund run names the deduction to restore, and a new run funds the contract', async () => {
  const { order, command, abort } = await pairs.fund();
  await adapter.republish(abort);
  const { payload } = await adapter.waitForReply(order.orderId, 'escrow.funding_failed');
  expect(payload).toMatchObject({ abortedCommandId: (abort.payload as { readonly commandId: string }).commandId });
  await adapter.republish({ ...command, id: adapter.newId('evt'), sagaRunId: adapter.newId('run') });
  await adapter.waitForReply(order.orderId, 'escrow.funded');
});
