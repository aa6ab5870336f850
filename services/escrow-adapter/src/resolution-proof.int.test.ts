import type { Envelope } from '@holdfast/contracts/messages';
import { eventually } from '@holdfast/testing/eventually';
import {
  aCreatedContract,
  aFundedContract,
  requestContract,
  requestFunding,
  requestSettlement,
  type TestOrder,
} from './testing/orders.js';
import { releaseOutside } from './testing/outside-steps.js';
import { startResolving, type Resolving } from './testing/resolving.js';
import { contractsOf } from './testing/sandbox-state.js';
import type { RunningAdapter } from './testing/running-adapter.js';

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

/** The reason of a refusal, or what was decided. */
async function resolved(command: Envelope, body: object): Promise<string> {
  const { status, code, details, data } = await resolving.resolve(command, body);
  return status === 200 ? data.status : `${code} ${String(details['reason'])}`;
}

const heldFunding = (order: TestOrder): Promise<Envelope> =>
  resolving.waitUntilHeld(
    ({ does }) => does === 'fund',
    () => requestFunding(adapter, order),
  );

const heldRelease = (order: TestOrder): Promise<Envelope> =>
  resolving.waitUntilHeld(
    ({ does }) => does === 'complete',
    () => requestSettlement(adapter, order, { decision: 'RELEASE' }),
  );

describe('a funding', () => {
  it('does not fail while its contract holds the money', async () => {
    const order = await aCreatedContract(adapter);
    const command = await heldFunding(order);
    const transactionHash = await resolving.fundOutside(order);
    expect(await resolved(command, { outcome: 'failed' })).toBe(
      'INVALID_STATE the contract holds 100.00 of 100.00 USD, so the funding can only be resolved as succeeded, with the hash of the transaction that paid',
    );
    expect(resolving.repliesIn(command)).toEqual([]);
    expect(await resolved(command, { outcome: 'succeeded', transactionHash })).toBe('RESOLVED');
    await adapter.waitForReply(order.orderId, 'escrow.funded');
  });

  it('does not succeed with a part of the amount, and fails with it', async () => {
    const order = await aCreatedContract(adapter);
    const command = await heldFunding(order);
    const transactionHash = await resolving.fundOutside(order, 1n);
    expect(await resolved(command, { outcome: 'succeeded', transactionHash })).toMatch(
      /pays 0.0000001 of 100.00 USD into the contract C\w+; a success needs the transaction that paid everything$/,
    );
    expect(await resolved(command, { outcome: 'failed' })).toBe('RESOLVED');
    await adapter.waitForReply(order.orderId, 'escrow.funding_failed');
  });

  it('does not succeed with a transaction that paid only a part of what the contract holds', async () => {
    const order = await aCreatedContract(adapter);
    const command = await heldFunding(order);
    const part = await resolving.fundOutside(order, 1n);
    const whole = await resolving.fundOutside(order);
    expect(await resolved(command, { outcome: 'succeeded', transactionHash: part })).toContain('pays 0.0000001 of 100.00 USD');
    expect(await resolved(command, { outcome: 'succeeded', transactionHash: whole })).toBe('RESOLVED');
  });

  it('503 SERVICE_UNAVAILABLE while its contract cannot be read, and nothing changes', async () => {
    const order = await aCreatedContract(adapter);
    const command = await heldFunding(order);
    outage.now.hidesContracts = true;
    expect(await resolved(command, { outcome: 'failed' })).toMatch(/^SERVICE_UNAVAILABLE/);
    outage.now.hidesContracts = false;
    expect(
      await adapter.database.asAdmin(`select 1 from escrow_adapter.saga_resolutions where intent_id = $1`, [command.id]),
    ).toEqual([]);
    expect(await resolved(command, { outcome: 'failed' })).toBe('RESOLVED');
  });
});

describe('a settlement', () => {
  it('does not fail after its contract has paid as decided', async () => {
    const order = await aFundedContract(adapter);
    const command = await heldRelease(order);
    outage.now.held = undefined;
    const transactionHash = await releaseOutside(adapter, order);
    expect(await resolved(command, { outcome: 'failed' })).toBe(
      'INVALID_STATE the contract has paid out, so it can only be resolved as succeeded, with the hash of the transaction that paid',
    );
    expect(await resolved(command, { outcome: 'succeeded', transactionHash })).toBe('RESOLVED');
    await adapter.waitForReply(order.orderId, 'escrow.released');
  });

  it('does not succeed while its contract holds the money, and fails', async () => {
    const order = await aFundedContract(adapter);
    const command = await heldRelease(order);
    const transactionHash = await resolving.landedHash(order, 'fund');
    expect(await resolved(command, { outcome: 'succeeded', transactionHash })).toContain('pays nothing out of the contract');
    expect(await resolved(command, { outcome: 'failed' })).toBe('RESOLVED');
    await adapter.waitForReply(order.orderId, 'escrow.settlement_failed');
  });
});

describe('a deployment', () => {
  it('does not fail after a transaction that no node remembers has made its contract', async () => {
    outage.now.forgets = true;
    const order = await requestContract(adapter);
    await eventually(async () => expect(await contractsOf(adapter, order.orderId)).toHaveLength(1));
    await adapter.database.asAdmin(
      `update escrow_adapter.ledger_transactions set valid_until = now() - interval '2 days' where intent_id = $1`,
      [order.command.id],
    );
    expect(await resolved(order.command, { outcome: 'failed' })).toMatch(
      /transaction \w{64} has made its contract, so it can only be resolved as succeeded, with the contract id$/,
    );
  });
});
