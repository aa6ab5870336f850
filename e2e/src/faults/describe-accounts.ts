import { aPerson, type Person } from './account-life.js';
import { expectReconciled } from './agreement.js';
import { allInitFaults } from './init-cases.js';
import { playInitFault, playManyProjects, playFreedReservation, playSuspension } from './init-escrow.js';
import { named } from './named.js';
import type { Order } from './order-life.js';
import { platformOfSuite, type Driver } from './platform.js';

jest.setTimeout(240_000);

/** `npm run faults -- accounts`; a chosen part is in chosen.test.ts. */
export function describeAccounts(driver: Driver): void {
  describe(`what goes wrong during POST /escrow/init, on the ${driver} driver`, () => {
    const platform = platformOfSuite(driver);
    const orders: Order[] = [];
    let buyer: Person;

    beforeAll(async () => {
      buyer = await aPerson(platform());
    });

    it.each(named(allInitFaults))('%s', async (_, faultCase) => {
      orders.push(...(await playInitFault(platform(), buyer, faultCase)));
    });

    it('the hold of its order is released', async () => {
      orders.push(...(await playFreedReservation(platform(), buyer)));
    });

    it.each(['buyer', 'seller'] as const)('the %s is suspended', async (party) => {
      orders.push(...(await playSuspension(platform(), party)));
    });

    it('the balance covers half of the projects that are paid for at once', async () => {
      orders.push(...(await playManyProjects(platform())));
    });

    it('leaves books and ledger network in agreement to the last unit', async () => {
      await expectReconciled(platform(), orders);
    });
  });
}
