import { isFullMatrix } from '@holdfast/testing/fault-matrix';
import { expectReconciled } from './agreement.js';
import type { Order } from './order-life.js';
import { platformOfSuite, type Driver } from './platform.js';
import { openRuns } from './play-losses.js';
import {
  playAdvanceWithoutProvider,
  playLastTwo,
  playRace,
  playRefundBesideRelease,
  playTimerWithoutProvider,
  races,
} from './play-timers.js';

jest.setTimeout(900_000);

/** Each race is played so often. */
const timesEach = isFullMatrix ? 100 : 5;
const atOnceMax = 5;

/** `npm run faults -- timers` plays every race a hundred times on every driver; `npm test` five times on one. */
export function describeTimers(driver: Driver): void {
  describe(`time, on the ${driver} driver`, () => {
    const platform = platformOfSuite(driver);
    const orders: Order[] = [];

    it.each(races)('and a %s in the same moment: one of them wins, and the money moves once', async (race) => {
      for (let played = 0; played < timesEach; played += atOnceMax)
        orders.push(...(await Promise.all(Array.from({ length: atOnceMax }, () => playRace(platform(), race)))));
    });

    it('pays although the provider was down when the review ended', async () => {
      orders.push(await playTimerWithoutProvider(platform()));
    });

    it('pays in order although the provider was down in the middle of an advance of the test clock', async () => {
      orders.push(...(await playAdvanceWithoutProvider(platform())));
    });

    it('and the last two milestones, released at once', async () => {
      orders.push(await playLastTwo(platform()));
    });

    it('and one milestone, refunded while another one is released', async () => {
      orders.push(await playRefundBesideRelease(platform()));
    });

    it('leaves books and ledger network in agreement to the last unit, and no run open', async () => {
      await expectReconciled(platform(), orders);
      expect(await openRuns(platform())).toEqual([]);
    });
  });
}
