import { emergencyStopChanged, emergencyStopId } from '@holdfast/contracts/messages';
import { eventually } from '@holdfast/testing/eventually';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { aFundedContract, requestFunding, type TestOrder } from '../../testing/orders.js';
import { contractsOf } from '../../testing/sandbox-state.js';
import { adapterOf } from '../../testing/adapter-of.js';
import { landedIn } from '../../testing/custody.js';
import { aWalletTestbed, type WalletTestbed } from '../../testing/running-wallets.js';

let testbed: WalletTestbed;
let service: { readonly stop: () => Promise<void> };

beforeAll(async () => {
  testbed = await aWalletTestbed();
  service = await testbed.startAdapterService();
}, serverStartTimeoutMs);

afterAll(() => testbed.end());

const asAdmin: WalletTestbed['database']['asAdmin'] = (sql, values) => testbed.database.asAdmin(sql, values);

async function cursor(): Promise<string> {
  const [row] = await asAdmin<{ readonly cursor: string }>(
    `select cursor from escrow_adapter.feed_cursors where name = 'network'`,
  );
  return row?.cursor ?? '';
}

/** Brings the tables back to the moment when the contract was requested, as a restore does, with payouts stopped. */
async function restore({ escrowId }: TestOrder, cursorThen: string): Promise<void> {
  const ofOrder = 'select id from escrow_adapter.intents where subject = $1';
  const forgotten = await asAdmin<{ readonly hash: string }>(
    `delete from escrow_adapter.ledger_transactions where intent_id in (${ofOrder}) returning hash`,
    [escrowId],
  );
  expect(forgotten).not.toEqual([]);
  await asAdmin('delete from escrow_adapter.published_transactions where hash = any($1)', [forgotten.map(({ hash }) => hash)]);
  await asAdmin(`delete from escrow_adapter.inbox where message_id in (${ofOrder} and kind = 'fund')`, [escrowId]);
  await asAdmin(`delete from escrow_adapter.intents where subject = $1 and kind = 'fund'`, [escrowId]);
  await asAdmin(
    `update escrow_adapter.intents
     set closed_at = null, replies = null, attempts = 0, due_at = now()
     where subject = $1`,
    [escrowId],
  );
  await asAdmin(
    `update escrow_adapter.contracts
     set status = 'REQUESTED', contract_id = null, buyer_address = null, seller_address = null, platform_address = null,
       version = 0, last_ledger = 0
     where escrow_id = $1`,
    [escrowId],
  );
  await asAdmin(`update escrow_adapter.feed_cursors set cursor = $1 where name = 'network'`, [cursorThen]);
  await asAdmin('insert into escrow_adapter.emergency_stop (is_stopped, version, changed_at) values (true, 0, now())');
}

describe('an order whose contract was deployed and funded after the backup that was restored', () => {
  it('has that contract: nothing is deployed or funded again, and its funding does not count as an unknown outflow', async () => {
    const [adapter, cursorThen] = [adapterOf(testbed), await cursor()];
    const order = await aFundedContract(adapter, { parts: ['50.00'] });
    const [contract] = await contractsOf(adapter, order.orderId);
    await eventually(() => expect(JSON.stringify(landedIn(testbed.published))).toContain(order.orderId));
    await service.stop();
    await restore(order, cursorThen);
    const before = testbed.published.length;

    service = await testbed.startAdapterService();
    await eventually(async () =>
      expect(await asAdmin('select contract_id from escrow_adapter.contracts where escrow_id = $1', [order.escrowId])).toEqual([
        { contract_id: contract?.contractId },
      ]),
    );
    const since = () => testbed.published.slice(before);
    await eventually(() =>
      expect(landedIn(since()).flatMap(({ legs }) => legs)).toContainEqual({
        place: 'contract',
        ownerId: order.orderId,
        asset: 'USDC',
        amount: '50.00',
      }),
    );
    await testbed.publish(emergencyStopChanged, emergencyStopId, { isStopped: false });
    const replied = (type: string) => since().find((message) => message.type === type && message.aggregateId === order.escrowId);
    await eventually(() =>
      expect(replied('escrow.created')?.payload).toMatchObject({ providerContractId: contract?.contractId }),
    );
    await requestFunding(adapter, order);
    await eventually(() => expect(replied('escrow.funded')).toBeDefined());
    expect(await contractsOf(adapter, order.orderId)).toMatchObject([{ contractId: contract?.contractId, balance: 50 }]);
    expect(testbed.published.filter(({ type }) => type === 'custody.unknown_outflow_found')).toEqual([]);
  });
});
