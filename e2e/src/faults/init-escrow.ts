import { consumersOf } from '@holdfast/contracts/sagas';
import { formatMoney } from '@holdfast/kernel/money';
import {
  anInit,
  aPerson,
  balanceOf,
  callInit,
  expectAllOrNothing,
  expectFundedOnce,
  expectReleasedOnce,
  ordersOf,
  projectStatusOf,
  type AccountResponse,
  type Init,
  type Person,
} from './account-life.js';
import type { InitFault, InitLoss } from './init-cases.js';
import { textOf, type Order } from './order-life.js';
import type { Platform } from './platform.js';
import type { Fault } from './sandbox-control.js';

/** 503 says that nothing happened, 504 that it continues. */
const honest = [200, 503, 504];

/** Whatever the outside systems do, everything happens or nothing does; once they are well the same request succeeds. */
export async function playInitFault(platform: Platform, buyer: Person, { fault }: InitFault): Promise<readonly Order[]> {
  const init = await anInit(platform, buyer);
  await platform.sandbox.arm(fault);
  const { status, message } = await callInit(platform, init);
  expect({ status, message, isHonest: honest.includes(status) }).toMatchObject({ isHonest: true });
  await platform.sandbox.clear();
  return expectFundedOnce(platform, init);
}

/** A message of the request is lost: its run ends by itself. */
export async function playInitLoss(platform: Platform, buyer: Person, loss: InitLoss): Promise<readonly Order[]> {
  const { message, fault } = loss;
  const init = await anInit(platform, buyer);
  const copies = consumersOf(message).map((service) => ({ service, type: message.type, about: init.requestId }));
  const losing = await platform.lose(copies, []);
  try {
    if (fault !== undefined) await platform.sandbox.arm(fault);
    const called = callInit(platform, init);
    await losing.lost;
    await platform.sandbox.clear();
    expect(honest).toContain((await called).status);
  } finally {
    await losing.close();
  }
  return expectFundedOnce(platform, init);
}

/** A party is suspended while the contract is deployed: no money is stuck, whichever comes first. */
export async function playSuspension(platform: Platform, party: 'buyer' | 'seller'): Promise<readonly Order[]> {
  const init = await anInit(platform, await aPerson(platform));
  const userId = party === 'buyer' ? init.buyer.id : init.sellerId;
  const setStatus = (status: string) => platform.api.patch(`/users/${userId}`, { status });
  const response = await duringDeployment(platform, init, () => setStatus('SUSPENDED'));
  expect(honest).toContain(response.status);
  await expectAllOrNothing(platform, init);
  expect((await setStatus('ACTIVE')).status).toBe(200);
  return expectFundedOnce(platform, init);
}

/** The marketplace releases the hold of the order while its contract is deployed: there is nothing to fund it with. */
export async function playFreedReservation(platform: Platform, buyer: Person): Promise<readonly Order[]> {
  const init = await anInit(platform, buyer);
  const statuses: number[] = [];
  const response = await duringDeployment(platform, init, async ({ id: orderId }) => {
    const released = await platform.api.post(`/users/${buyer.id}/balance/release`, { amount: formatMoney(init.amount), orderId });
    statuses.push(released.status);
  });
  expect([...statuses, response.status]).toEqual([200, 503]);
  return expectFundedOnce(platform, init);
}

/** The buyer can pay for half of the projects. */
export async function playManyProjects(platform: Platform): Promise<readonly Order[]> {
  const buyer = await aPerson(platform);
  const inits: Init[] = [];
  for (let nth = 0; nth < projects; nth += 1) inits.push(await anInit(platform, buyer, { isCovered: nth < projects / 2 }));
  const responses = await Promise.all(inits.map(async (init) => ({ init, ...(await callInit(platform, init)) })));
  const funded = responses.filter(({ status }) => status === 200);
  const refused = responses.filter(({ status }) => status !== 200);
  const refusal = { status: 400, message: 'Insufficient balance to fund escrow' };
  expect(refused).toMatchObject(Array.from({ length: projects / 2 }, () => refusal));
  expect(await balanceOf(platform, buyer.id)).toEqual({ available: '0.00', reserved: '0.00' });
  for (const { init } of refused) {
    // There is an order only if the money was spent between the check and the reservation.
    for (const order of await ordersOf(platform, init))
      expect(order).toMatchObject({ status: 'CLOSED', closeReason: 'CANCELED' });
    expect(await projectStatusOf(platform, init)).toBe('open');
  }
  for (const { init, data } of funded) await expectReleasedOnce(platform, init, textOf(data, 'escrow_id'));
  return (await Promise.all(responses.map(({ init }) => ordersOf(platform, init)))).flat();
}

const projects = 8;
/** Holds the deployment until the fault is removed. */
const heldDeployment: Fault = {
  target: 'escrow-provider',
  operation: 'deploy',
  kind: 'latency',
  times: 1,
  latencyMs: 60_000,
};

/** Acts while the provider holds the call that deploys the contract. */
async function duringDeployment(
  platform: Platform,
  init: Init,
  act: (order: Order) => Promise<unknown>,
): Promise<AccountResponse> {
  await platform.sandbox.arm(heldDeployment);
  const called = callInit(platform, init);
  await platform.sandbox.whenStruck();
  const [order] = await ordersOf(platform, init);
  if (order === undefined) throw new Error('a contract is deployed without an order');
  await act(order);
  await platform.sandbox.clear();
  return called;
}
