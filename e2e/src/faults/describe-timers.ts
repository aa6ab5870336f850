import { expectReconciled } from './agreement.js';
import type { Order } from './order-life.js';
import { platformOfSuite, type Driver, type Platform } from './platform.js';
import { openRuns } from './play-losses.js';
import {
  playAdvanceWithoutProvider,
  playLastTwo,
  playRace,
  playRefundBesideRelease,
  playTimerWithoutProvider,
  races,
} from './play-timers.js';

const atOnceMax = 5;

/** `npm run faults -- timers` plays every race a hundred times on every driver; chosen.test.ts plays it five times. */
export function describeTimers(driver: Driver): void {
  jest.setTimeout(900_000);

  describe(`on the ${driver} driver`, () => {
    const platform = platformOfSuite(driver);
    const orders: Order[] = [];

    describeTime({ platform, orders, timesEach: 100 });

    it('leaves books and ledger network in agreement to the last unit, and no run open', async () => {
      await expectReconciled(platform(), orders);
      expect(await openRuns(platform())).toEqual([]);
    });
  });
}

type Timers = {
  readonly platform: () => Platform;
  /** Takes the orders that were played. */
  readonly orders: Order[];
  /** How often each race is played. */
  readonly timesEach: number;
};

/** What time does beside a caller, a fault and another milestone. */
export function describeTime({ platform, orders, timesEach }: Timers): void {
  describe('time', () => {
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
  });
}
