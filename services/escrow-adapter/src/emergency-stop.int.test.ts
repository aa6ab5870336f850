import { emergencyStopChanged, emergencyStopId } from '@holdfast/contracts/messages';
import { eventually } from '@holdfast/testing/eventually';
import { aCreatedContract, aFundedContract, requestContract, requestFunding, requestSettlement } from './testing/orders.js';
import { startAdapter, type RunningAdapter } from './testing/running-adapter.js';
import { payoutReplies, requestPayout } from './testing/payouts.js';
import { balanceOf, contractsOf } from './testing/sandbox-state.js';

let adapter: RunningAdapter;
let version = 0;

beforeAll(async () => {
  adapter = await startAdapter();
});
afterEach(() => setStop(false));
afterAll(() => adapter.stop());

/** Publishes the change as identity does, and waits until the service has stored it. */
async function setStop(isStopped: boolean): Promise<void> {
  version += 1;
  const message = adapter.make(emergencyStopChanged, emergencyStopId, { isStopped });
  await adapter.republish({ ...message, aggregateVersion: version });
  await eventually(async () =>
    expect(await adapter.database.asAdmin('select is_stopped from escrow_adapter.emergency_stop')).toEqual([
      { is_stopped: isStopped },
    ]),
  );
}

type Waiting = { readonly kind: string; readonly attempts: number; readonly runs: number };

/** The open intents; a lease is taken per run. */
const openIntents = (): Promise<readonly Waiting[]> =>
  adapter.database.asAdmin(
    'select kind, attempts, lease_token as runs from escrow_adapter.intents where closed_at is null order by kind',
  );

const transactionCount = async (): Promise<unknown> =>
  (await adapter.database.asAdmin('select count(*)::integer as count from escrow_adapter.ledger_transactions'))[0];

describe('while the emergency stop is on', () => {
  it('intents wait without a signature and without counting attempts, and complete after the resume', async () => {
    const [toFund, toRelease] = [await aCreatedContract(adapter), await aFundedContract(adapter)];
    const before = await transactionCount();
    await setStop(true);
    const toDeploy = await requestContract(adapter);
    await requestFunding(adapter, toFund);
    await requestSettlement(adapter, toRelease, { decision: 'RELEASE' });
    const address = await adapter.accounts.openOutside();
    const payout = await requestPayout(adapter, { address });
    await eventually(async () => {
      const waiting = await openIntents();
      expect(waiting.map(({ kind, attempts }) => ({ kind, attempts }))).toEqual([
        { kind: 'deploy', attempts: 0 },
        { kind: 'fund', attempts: 0 },
        { kind: 'payout', attempts: 0 },
        { kind: 'settle', attempts: 0 },
      ]);
      expect(Math.min(...waiting.map(({ runs }) => runs))).toBeGreaterThan(1);
    });
    expect(await transactionCount()).toEqual(before);
    await setStop(false);
    await adapter.waitForReply(toDeploy.orderId, 'escrow.created');
    await adapter.waitForReply(toFund.orderId, 'escrow.funded');
    await adapter.waitForReply(toRelease.orderId, 'escrow.released');
    await adapter.waitForReply(payout.withdrawalId, ...payoutReplies);
    expect(await contractsOf(adapter, toFund.orderId)).toMatchObject([{ balance: 100 }]);
    expect(await balanceOf(adapter, address)).toBe(25);
  });

  it('a transaction that was submitted before is looked up, and its intent completes', async () => {
    const order = await aCreatedContract(adapter);
    await adapter.fault('fund', 'timeout-after-effect', { times: 1 });
    await requestFunding(adapter, order);
    await eventually(async () => expect(await contractsOf(adapter, order.orderId)).toMatchObject([{ balance: 100 }]));
    await setStop(true);
    await adapter.clearFaults();
    await adapter.waitForReply(order.orderId, 'escrow.funded');
  });
});
