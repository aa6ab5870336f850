import { initEscrow } from '@holdfast/contracts/sagas';
import { isFullMatrix } from '@holdfast/testing/fault-matrix';
import { expectReconciled } from './agreement.js';
import { allInitKills, allKills } from './kill-cases.js';
import { named } from './named.js';
import type { Order } from './order-life.js';
import { allPaymentKills } from './payment-cases.js';
import { expectPaymentsAgree } from './payment-life.js';
import { platformOfSuite } from './platform.js';
import { playDeath } from './play-kills.js';
import { providerCalls } from './saga-requests.js';

jest.setTimeout(240_000);

describe('the matrix of kills', () => {
  it('has a death before and after every provider operation, of an order and of init', () => {
    const held = (kills: readonly { readonly held?: { readonly operation: string } }[]) =>
      new Set(kills.flatMap((kill) => (kill.held === undefined ? [] : [kill.held.operation])));
    const ofInit = providerCalls.filter(({ saga }) => initEscrow.sagas.some((name) => name === saga));
    expect(held(allKills)).toEqual(new Set(providerCalls.map(({ operation }) => operation)));
    expect(held(allInitKills)).toEqual(new Set(ofInit.map(({ operation }) => operation)));
  });
});

/** `npm run faults -- kills`; a chosen part is in on-rabbitmq.test.ts. */
for (const driver of isFullMatrix ? (['rabbitmq', 'two replicas'] as const) : []) {
  describe(`a process killed with -9, on ${driver}`, () => {
    const platform = platformOfSuite(driver);
    const orders: Order[] = [];

    it.each(named(allKills))('%s', async (_, kill) => {
      orders.push(...(await playDeath(platform(), { part: kill.part, orders: [kill] })));
    });

    it.each(named(allPaymentKills))('%s', async (_, kill) => {
      await playDeath(platform(), { part: kill.part, payments: [kill] });
    });

    it.each(named(allInitKills))('%s', async (_, kill) => {
      orders.push(...(await playDeath(platform(), { part: kill.part, inits: [kill] })));
    });

    it('leaves books and ledger network in agreement to the last unit', async () => {
      await expectReconciled(platform(), orders);
    });

    it('leaves journal and payment provider in agreement to the last unit, and no payment open', async () => {
      await expectPaymentsAgree(platform());
    });
  });
}
