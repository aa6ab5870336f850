import { allSagas, awaitedBy, initEscrow } from '@holdfast/contracts/sagas';
import { isFullMatrix } from '@holdfast/testing/fault-matrix';
import { aPerson, type Person } from './account-life.js';
import { expectReconciled } from './agreement.js';
import { allInitFaults, allInitLosses, withoutCauseInInit } from './init-cases.js';
import { playInitFault, playManyProjects, playFreedReservation, playSuspension } from './init-escrow.js';
import { withoutCause } from './loss-cases.js';
import { named } from './named.js';
import type { Order } from './order-life.js';
import { drivers, platformOfSuite } from './platform.js';

jest.setTimeout(240_000);

describe('the fault matrix of POST /escrow/init', () => {
  it('has every provider operation and every message of init, which is a sequence of sagas', () => {
    const sagas = allSagas.filter(({ name }) => initEscrow.sagas.some((each) => each === name));
    const operations = sagas.flatMap(({ steps }) => Object.values(steps).flatMap(({ calls = [] }) => calls));
    expect(new Set(allInitFaults.map(({ fault }) => fault.operation))).toEqual(new Set([...operations, 'read', 'submit']));
    const ofCompensation = allSagas.filter(({ name }) => name === initEscrow.compensatedBy);
    const awaited = [...sagas, ...ofCompensation].flatMap(({ steps }) => Object.values(steps).flatMap(awaitedBy));
    const wanted = awaited.map(({ type }) => type).filter((type) => ![...withoutCause, ...withoutCauseInInit].includes(type));
    expect(new Set(allInitLosses.map(({ message }) => message.type))).toEqual(new Set(wanted));
  });
});

/** `npm run faults -- accounts`; a chosen part is in chosen.test.ts. */
for (const driver of isFullMatrix ? drivers : []) {
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
