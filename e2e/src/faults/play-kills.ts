import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '@holdfast/testing/eventually';
import { isFullMatrix } from '@holdfast/testing/fault-matrix';
import { anInit, aPerson, callInit, expectFundedOnce } from './account-life.js';
import { expectPaidOnce } from './agreement.js';
import type { Death, Held, InitKill, Kill } from './kill-cases.js';
import { anOrderFor, bringTo, call, driveToEnd, type Order } from './order-life.js';
import type { PaymentKill } from './payment-cases.js';
import { aPayment, bringPaymentTo, callStep, expectPaymentEnd } from './payment-life.js';
import type { Platform } from './platform.js';

/** A request that is about to be interrupted. */
type Interrupted = {
  readonly target: 'escrow-provider' | 'payment-provider';
  readonly held: Held | undefined;
  readonly request: () => Promise<unknown>;
  /** What it was about ends as it would have, with one effect. Resolves to its orders. */
  readonly expectEnd: () => Promise<readonly Order[]>;
};

/** A call is held longer than any test lasts: the process that has made it dies, or the fault is removed. */
const heldMs = 300_000;
const anyMomentMs = 60;
/** How long a killed service may take to respond again on a loaded machine. */
const restartTimeoutMs = 60_000;

/** Kills a service with -9 while all of this is under way. Resolves to the orders, which have ended. */
export async function playDeath(
  platform: Platform,
  { service, inits = [], orders = [], payments = [] }: Death,
): Promise<readonly Order[]> {
  const interrupted = await Promise.all([
    ...inits.map((kill) => anInterruptedInit(platform, kill)),
    ...orders.map((kill) => anInterruptedOrder(platform, kill)),
    ...payments.map((kill) => anInterruptedPayment(platform, kill)),
  ]);
  if (isFullMatrix) await platform.whenSteady(service);
  const called = await startAll(platform, interrupted);
  platform.kill(service);
  await platform.sandbox.clear();
  await Promise.all(called);
  await platform.whenReady(service);
  return (await Promise.all(interrupted.map(({ expectEnd }) => expectEnd()))).flat();
}

/**
 * Starts the calls that are held first, one after the other, in the order of the provider calls on the way. The caller may lose its connection to
 * a service that dies: what counts is where the order or payment is afterwards.
 */
async function startAll({ sandbox }: Platform, interrupted: readonly Interrupted[]): Promise<readonly Promise<unknown>[]> {
  const called: Promise<unknown>[] = [];
  for (const { target, held, request } of interrupted.filter((each) => each.held !== undefined)) {
    if (held !== undefined) await sandbox.arm({ target, ...held, times: 1, latencyMs: heldMs });
    called.push(request().catch(() => undefined));
    await sandbox.whenStruck();
  }
  const others = interrupted.filter(({ held }) => held === undefined);
  for (const { request } of others) called.push(request().catch(() => undefined));
  if (others.length > 0) await pause(randomInt(1, anyMomentMs));
  return called;
}

async function anInterruptedOrder(platform: Platform, { during, ending, held }: Kill): Promise<Interrupted> {
  const { api } = platform;
  const order = await anOrderFor(api, ending);
  await bringTo(api, order, during);
  return {
    target: 'escrow-provider',
    held,
    request: () => call(api, order, during),
    expectEnd: async () => {
      await driveToEnd(api, order, ending, 150_000);
      await eventually(() => expectPaidOnce(api, order, ending), { timeoutMs: restartTimeoutMs });
      return [order];
    },
  };
}

async function anInterruptedPayment(platform: Platform, { flow, during, held }: PaymentKill): Promise<Interrupted> {
  const payment = await aPayment(platform, flow);
  await bringPaymentTo(platform, payment, during);
  return {
    target: 'payment-provider',
    held,
    request: () => callStep(platform, payment, during),
    expectEnd: async () => {
      await expectPaymentEnd(platform, payment);
      return [];
    },
  };
}

async function anInterruptedInit(platform: Platform, { held }: InitKill): Promise<Interrupted> {
  const init = await anInit(platform, await aPerson(platform));
  return {
    target: 'escrow-provider',
    held,
    request: () => callInit(platform, init),
    expectEnd: () => expectFundedOnce(platform, init),
  };
}
