import { expectReconciled } from './agreement.js';
import { allCases } from './cases.js';
import { allFalsifications } from './falsifying-cases.js';
import { named } from './named.js';
import type { Order } from './order-life.js';
import { platformOfSuite, type Driver } from './platform.js';
import { playFault } from './play-faults.js';
import { playFalsified } from './refused-signing.js';

jest.setTimeout(240_000);

/** `npm run faults -- orders`; a chosen part is in chosen.test.ts. */
export function describeOrders(driver: Driver): void {
  describe(`what goes wrong outside, on the ${driver} driver`, () => {
    const platform = platformOfSuite(driver);
    const orders: Order[] = [];

    it.each(named(allCases))('%s', async (_, faultCase) => {
      orders.push(await playFault(platform(), faultCase));
    });

    it.each(named(allFalsifications))('nothing is signed: %s', async (_, faultCase) => {
      orders.push(await playFalsified(platform(), faultCase));
    });

    it('leaves books and ledger network in agreement to the last unit', async () => {
      await expectReconciled(platform(), orders);
    });
  });
}
