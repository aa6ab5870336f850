import { eventually } from '@holdfast/testing/eventually';
import { chainOf, expectPaidOnce } from './agreement.js';
import type { FaultCase } from './cases.js';
import { anOrderFor, bringTo, call, driveToEnd, statusOf, type Order, type Step } from './order-life.js';
import type { Platform } from './platform.js';

/** The status of an order whose step was refused. A failed funding returns the order to its reservation, with the contract. */
const statusAfter: Readonly<Partial<Record<Step, string>>> = {
  escrow: 'FUNDS_RESERVED',
  fund: 'FUNDS_RESERVED',
  release: 'IN_PROGRESS',
  refund: 'IN_PROGRESS',
  'full-release': 'DISPUTED',
  split: 'DISPUTED',
  'release-milestone': 'IN_PROGRESS',
  'refund-milestone': 'IN_PROGRESS',
  'full-release-milestone': 'IN_PROGRESS',
  'split-milestone': 'IN_PROGRESS',
};

/**
 * The provider builds another transaction than requested, once: nothing is signed, nothing moves, the caller gets a failure, the
 * order is as before, and the next attempt succeeds.
 */
export async function playFalsified(platform: Platform, faultCase: FaultCase): Promise<Order> {
  const { api, sandbox } = platform;
  const { during, ending, fault, milestones } = faultCase;
  const order = await anOrderFor(api, ending, milestones);
  await bringTo(api, order, during);
  const before = await chainOf(platform, order);
  await sandbox.arm(fault);
  const { status, code } = await call(api, order, during);
  const failure = during === 'fund' ? '400 ESCROW_FUNDING_FAILED' : '500 INTERNAL_ERROR';
  // A slow machine may need longer than the request waits.
  expect([failure, '504 PROVIDER_TIMEOUT']).toContain(`${status.toString()} ${code ?? ''}`);
  await eventually(async () => {
    expect(await refusalsOf(platform, order)).toEqual([expect.stringMatching(new RegExp(`^${fault.operation}(:|$)`))]);
    expect(await statusOf(api, order)).toBe(statusAfter[during]);
  });
  expect(await signedFor(platform, order, fault.operation)).toEqual([]);
  expect(await chainOf(platform, order)).toEqual(before);
  await sandbox.clear();
  await driveToEnd(api, order, ending);
  await expectPaidOnce(api, order, ending);
  return order;
}

/** The steps of the order whose signing was refused, from the audit trail. */
async function refusalsOf({ api }: Platform, { id }: Order): Promise<readonly unknown[]> {
  const { data } = await api.get(`/audit/logs?resourceId=${id}&action=SIGNING_REFUSED`);
  const entries = Array.isArray(data['data']) ? (data['data'] as readonly unknown[]) : [];
  return entries.map((entry) => {
    expect(entry).toMatchObject({ result: 'FAILURE', after: { field: expect.any(String) } });
    return (entry as { readonly after: { readonly step: unknown } }).after.step;
  });
}

const signedSteps = `
  select step
  from escrow_adapter.ledger_transactions
  join escrow_adapter.intents on intents.id = ledger_transactions.intent_id
  join escrow_adapter.contracts on contracts.escrow_id = intents.subject
  where contracts.order_id = $1 and split_part(step, ':', 1) = $2`;

/** Every signed transaction is stored before it is submitted. */
function signedFor({ database }: Platform, { id }: Order, operation: string): Promise<readonly unknown[]> {
  return database.asAdmin(signedSteps, [id, operation]);
}
