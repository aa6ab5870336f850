import { Asset, Contract, rpc, xdr } from '@stellar/stellar-sdk';
import type { Envelope } from '@holdfast/contracts/messages';
import { systemClock } from '@holdfast/kernel/context';
import { idFactory } from '@holdfast/kernel/ids';
import { eventually } from '@holdfast/testing/eventually';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import {
  aCreatedContract,
  aFundedContract,
  requestFunding,
  requestSettlement,
  settlementReplies,
  type TestOrder,
} from './testing/orders.js';
import type { RunningAdapter } from './testing/running-adapter.js';
import { contractsOf } from './testing/sandbox-state.js';
import { custodyOf } from './testing/custody.js';
import { aWalletTestbed, type WalletTestbed } from './testing/running-wallets.js';

let testbed: WalletTestbed;
let adapter: RunningAdapter;
let server: rpc.Server;

beforeAll(async () => {
  testbed = await aWalletTestbed();
  server = new rpc.Server(testbed.sandbox.rpcUrl, { allowHttp: true });
  const waitForReply = (orderId: string, ...types: readonly string[]): Promise<Envelope> =>
    eventually(() => {
      const found = testbed.published.find(
        ({ type, payload }) => types.includes(type) && (payload as { readonly orderId?: string }).orderId === orderId,
      );
      if (found === undefined) throw new Error(`none of ${types.join()} so far`);
      return found;
    });
  // The part of a running adapter that the order builders use.
  const newId = idFactory(systemClock().epochMs);
  adapter = { newId, publish: testbed.publish, waitForReply, sandbox: testbed.sandbox } as unknown as RunningAdapter;
}, serverStartTimeoutMs);

afterAll(async () => {
  await testbed.end();
});

const never = { ESCROW_CHECK_EVERY_MS: '86400000' };
const often = { ESCROW_CHECK_EVERY_MS: '200' };

type Service = { readonly stop: () => Promise<void> };

async function startServices(...envs: readonly Readonly<Record<string, string>>[]): Promise<Service> {
  const services: Service[] = [];
  for (const env of envs) services.push(await testbed.startAdapterService(env));
  return {
    stop: async () => {
      await Promise.all(services.map(({ stop }) => stop()));
    },
  };
}

async function contractIdOf({ orderId }: TestOrder): Promise<string> {
  const [contract] = await contractsOf(adapter, orderId);
  if (contract === undefined) throw new Error('the order has no contract');
  return contract.contractId;
}

async function sendToSandbox(path: string, body: object): Promise<void> {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const { status } = await fetch(`${testbed.sandbox.controlUrl}${path}`, init);
  expect(status).toBeLessThan(300);
}

async function control(order: TestOrder, change: 'archive' | 'ttl', body: object = {}): Promise<void> {
  await sendToSandbox(`/contracts/${await contractIdOf(order)}/${change}`, body);
}

/** A lease is taken per run. */
function openIntents(): Promise<readonly object[]> {
  return testbed.database.asAdmin(
    'select attempts, lease_token > 1 as "isRepeated" from escrow_adapter.intents where closed_at is null',
  );
}

/** How many ledgers the instance, the escrow and the balance of a contract live; archived and missing entries are left out. */
async function livesOf(order: TestOrder): Promise<readonly number[]> {
  const contract = new Contract(await contractIdOf(order));
  const { networkPassphrase, usdcIssuer } = testbed.sandbox;
  const token = new Contract(new Asset('USDC', usdcIssuer).contractId(networkPassphrase));
  const key = (owner: Contract, ...values: readonly xdr.ScVal[]): xdr.LedgerKey =>
    xdr.LedgerKey.contractData(
      new xdr.LedgerKeyContractData({
        contract: owner.address().toScAddress(),
        key: xdr.ScVal.scvVec([...values]),
        durability: xdr.ContractDataDurability.persistent(),
      }),
    );
  const balance = key(token, xdr.ScVal.scvSymbol('Balance'), contract.address().toScVal());
  const keys = [contract.getFootprint(), key(contract, xdr.ScVal.scvSymbol('Escrow')), balance];
  const { entries, latestLedger } = await server.getLedgerEntries(...keys);
  return entries.map(({ liveUntilLedgerSeq = 0 }) => liveUntilLedgerSeq - latestLedger);
}

async function countOf(step: 'extend' | 'restore', state?: string): Promise<number> {
  const [found] = await testbed.database.asAdmin<{ count: number }>(
    `select count(*)::integer as count
     from escrow_adapter.ledger_transactions
     where step = $1
       and state = coalesce($2, state)`,
    [step, state ?? null],
  );
  return found?.count ?? 0;
}

async function checkedAgain({ orderId }: TestOrder): Promise<void> {
  const checkedAt = () =>
    testbed.database.asAdmin('select checked_at::text as at from escrow_adapter.contracts where order_id = $1', [orderId]);
  for (let checks = 0; checks < 3; checks += 1) {
    const before = await checkedAt();
    await eventually(async () => expect(await checkedAt()).not.toEqual(before));
  }
}

async function expectCustodyToAgree(): Promise<void> {
  await eventually(async () => {
    expect((await custodyOf(testbed)).wrong).toEqual([]);
  });
}

describe('an archived contract', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startServices(never);
  });
  afterAll(() => service.stop());

  it.each([
    { parts: ['100.00'], decision: 'RELEASE', type: 'escrow.released' },
    { parts: ['60.00', '40.00'], decision: 'RELEASE', type: 'escrow.released' },
    { parts: ['100.00'], decision: 'REFUND', type: 'escrow.refunded' },
  ] as const)('of $parts is restored by the treasury and settled: $decision', async ({ parts, decision, type }) => {
    const order = await aFundedContract(adapter, { parts });
    const restorations = await countOf('restore', 'LANDED');
    await control(order, 'archive');
    expect(await livesOf(order)).toEqual([]);

    await requestSettlement(adapter, order, { decision });

    expect(await adapter.waitForReply(order.orderId, ...settlementReplies)).toMatchObject({ type });
    expect(await contractsOf(adapter, order.orderId)).toMatchObject([{ balance: 0 }]);
    expect(await countOf('restore', 'LANDED')).toBe(restorations + 1);
    await expectCustodyToAgree();
  });

  it('that is not funded yet is restored and funded once', async () => {
    const order = await aCreatedContract(adapter);
    await control(order, 'archive');
    await requestFunding(adapter, order);
    await adapter.waitForReply(order.orderId, 'escrow.funded');
    expect(await contractsOf(adapter, order.orderId)).toMatchObject([{ balance: 100 }]);
  });

  it('waits while the restoration is open, also after a restart, and is restored once', async () => {
    const restorations = await countOf('restore', 'LANDED');
    const order = await aFundedContract(adapter);
    await control(order, 'archive');
    await sendToSandbox('/faults', { target: 'ledger-network', operation: 'submit', kind: 'error-before-effect' });
    await requestSettlement(adapter, order, { decision: 'RELEASE' });
    await eventually(async () => expect(await openIntents()).toEqual([{ attempts: 0, isRepeated: true }]));
    await service.stop();
    expect(await countOf('restore', 'LANDED')).toBe(restorations);
    await fetch(`${testbed.sandbox.controlUrl}/faults`, { method: 'DELETE' });
    service = await startServices(never);
    await adapter.waitForReply(order.orderId, 'escrow.released');
    expect(await countOf('restore', 'LANDED')).toBe(restorations + 1);
  });
});

describe('a check by two replicas', () => {
  let services: Service;
  beforeAll(async () => {
    services = await startServices(often, often);
  });
  afterAll(() => services.stop());

  it('restores an archived contract before anything is requested', async () => {
    const order = await aFundedContract(adapter);
    await control(order, 'archive');
    await eventually(async () => expect(await livesOf(order)).toHaveLength(3));
  });

  it.each([
    { parts: ['100.00'], entries: 3 },
    { parts: ['60.00', '40.00'], entries: 2 },
  ])('extends a funded contract of $parts once whose life is nearly over', async ({ parts, entries }) => {
    const order = await aFundedContract(adapter, { parts });
    const extensions = await countOf('extend', 'LANDED');
    await control(order, 'ttl', { ledgers: 1_000 });
    await eventually(async () => {
      const lives = await livesOf(order);
      expect(lives).toHaveLength(entries);
      expect(Math.min(...lives)).toBeGreaterThan(3_000_000);
    });
    await checkedAgain(order);
    expect(await countOf('extend', 'LANDED')).toBe(extensions + 1);
    await expectCustodyToAgree();
  });
});

describe('during the emergency stop', () => {
  it('no contract is extended or restored; the settlement of an archived one waits and follows after it', async () => {
    const before = await startServices(never);
    const [expiring, archived] = await Promise.all([aFundedContract(adapter), aFundedContract(adapter)]);
    await before.stop();
    await control(expiring, 'ttl', { ledgers: 100_000 });
    await control(archived, 'archive');
    const [extensions, restorations, landed] = await Promise.all([
      countOf('extend'),
      countOf('restore'),
      countOf('restore', 'LANDED'),
    ]);

    await requestSettlement(adapter, archived, { decision: 'RELEASE' });
    const stopped = await startServices({ ...often, EMERGENCY_STOP: 'true' });
    await eventually(async () => expect(await openIntents()).toEqual([{ attempts: 0, isRepeated: true }]));
    await checkedAgain(expiring);
    await stopped.stop();
    expect([await countOf('extend'), await countOf('restore')]).toEqual([extensions, restorations]);
    expect(Math.max(...(await livesOf(expiring)))).toBeLessThanOrEqual(100_000);

    const after = await startServices(never);
    await adapter.waitForReply(archived.orderId, 'escrow.released');
    await after.stop();
    expect(await countOf('restore', 'LANDED')).toBe(landed + 1);
  });
});
