import { expectReconciled } from './agreement.js';
import { allDeaths } from './kill-cases.js';
import { named } from './named.js';
import type { Order } from './order-life.js';
import { expectPaymentsAgree } from './payment-life.js';
import { platformOfSuite, type Driver } from './platform.js';
import { playDeath } from './play-kills.js';

jest.setTimeout(240_000);

/** `npm run faults -- kills`; a chosen part is in on-rabbitmq.test.ts. */
export function describeKills(driver: Exclude<Driver, 'in-process'>): void {
  describe(`a process killed with -9, on ${driver}`, () => {
    const platform = platformOfSuite(driver);
    const orders: Order[] = [];

    it.each(named(allDeaths))('%s', async (_, death) => {
      orders.push(...(await playDeath(platform(), death)));
    });

    it('leaves books and ledger network in agreement to the last unit', async () => {
      await expectReconciled(platform(), orders);
    });

    it('leaves journal and payment provider in agreement to the last unit, and no payment open', async () => {
      await expectPaymentsAgree(platform());
    });
  });
}
