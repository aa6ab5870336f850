import { aPerson } from './account-life.js';
import { expectReconciled } from './agreement.js';
import { allInitLosses } from './init-cases.js';
import { playInitLoss } from './init-escrow.js';
import { allLosses, chosenLosses } from './loss-cases.js';
import { named } from './named.js';
import type { Order } from './order-life.js';
import { platformOfSuite, type Driver } from './platform.js';
import { openRuns, playLosses } from './play-losses.js';
import { playUnrepeatedLoss } from './play-unrepeated.js';
import { allUnrepeatedLosses } from './unrepeated-cases.js';

jest.setTimeout(240_000);

/** `npm run faults -- lost-messages`; a chosen part is in chosen.test.ts and on-rabbitmq.test.ts. */
export function describeLostMessages(driver: Exclude<Driver, 'two replicas'>): void {
  describe(`a message that the broker has lost, on the ${driver} driver`, () => {
    const platform = platformOfSuite(driver);
    const orders: Order[] = [];
    const isOnRabbitmq = driver === 'rabbitmq';

    it.each(named(allLosses))('%s: the run ends by itself', async (_, lossCase) => {
      orders.push(...(await playLosses(platform(), [lossCase], false)));
    });

    // Only on RabbitMQ each service has its own process.
    for (const lossCase of isOnRabbitmq ? allLosses : []) {
      it(`${lossCase.name}: the run ends although orders is killed`, async () => {
        orders.push(...(await playLosses(platform(), [lossCase], true)));
      });
    }

    it('is the reply to reserve, cancel, fund and refund at the same time: every run ends by itself', async () => {
      orders.push(...(await playLosses(platform(), chosenLosses, isOnRabbitmq)));
    });

    // On RabbitMQ a message can only be lost before its consumer has handled others, and init has several for each of them.
    for (const loss of isOnRabbitmq ? [] : allInitLosses) {
      it(`${loss.name}: the run ends by itself`, async () => {
        orders.push(...(await playInitLoss(platform(), await aPerson(platform()), loss)));
      });
    }

    it.each(named(allUnrepeatedLosses))('%s, which no run resends: its publisher sends it again', async (_, loss) => {
      await playUnrepeatedLoss(platform(), loss);
    });

    it('leaves books and ledger network in agreement to the last unit, and no run open', async () => {
      await expectReconciled(platform(), orders);
      expect(await openRuns(platform())).toEqual([]);
    });
  });
}
