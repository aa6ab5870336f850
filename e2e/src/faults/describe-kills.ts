import { expectReconciled } from './agreement.js';
import { allInitKills, allKills } from './kill-cases.js';
import { named } from './named.js';
import type { Order } from './order-life.js';
import { allPaymentKills } from './payment-cases.js';
import { expectPaymentsAgree } from './payment-life.js';
import { platformOfSuite, type Driver } from './platform.js';
import { playDeath } from './play-kills.js';

jest.setTimeout(240_000);

/** `npm run faults -- kills`; a chosen part is in on-rabbitmq.test.ts. */
export function describeKills(driver: Exclude<Driver, 'in-process'>): void {
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
