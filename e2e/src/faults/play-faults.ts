import { isFullMatrix } from '@holdfast/testing/fault-matrix';
import { expectPaidOnce } from './agreement.js';
import type { FaultCase } from './cases.js';
import { anOrderFor, bringTo, call, driveToEnd, statusOf, type Order } from './order-life.js';
import type { Platform } from './platform.js';
import type { Fault, SandboxControl } from './sandbox-control.js';

const legal = new Set([
  'FUNDS_RESERVED',
  'ESCROW_CREATING',
  'ESCROW_FUNDING',
  'IN_PROGRESS',
  'RELEASE_REQUESTED',
  'REFUND_REQUESTED',
  'DISPUTED',
  'CLOSED',
]);

/** Error codes that a caller may get while an external system fails. */
const honest = new Set(['200 ', '201 ', '400 ESCROW_FUNDING_FAILED', '500 INTERNAL_ERROR', '504 PROVIDER_TIMEOUT']);

/** The order is always in a legal state, ends successfully once the fault is gone, and every payout happens exactly once. */
export async function playFault({ api, sandbox }: Platform, { during, ending, fault, milestones }: FaultCase): Promise<Order> {
  const order = await anOrderFor(api, ending, milestones);
  await bringTo(api, order, during);
  await sandbox.arm(fault);
  const called = call(api, order, during);
  await endLastingFault(sandbox, fault, called);
  const reply = await called;
  expect(honest).toContain(`${reply.status.toString()} ${reply.code ?? ''}`);
  expect(legal).toContain(await statusOf(api, order));
  await sandbox.clear();
  await driveToEnd(api, order, ending);
  await expectPaidOnce(api, order, ending);
  return order;
}

/** The full matrix leaves a lasting fault until the call has given up; the chosen cases remove it once it has struck. */
export async function endLastingFault(
  sandbox: SandboxControl,
  { times }: Pick<Fault, 'times'>,
  called: Promise<unknown>,
): Promise<void> {
  if (isFullMatrix || times !== undefined) return;
  await Promise.race([called, sandbox.whenStruck()]);
  await sandbox.clear();
}
