import { allRoutes } from '@holdfast/contracts/http';
import { racedCalls } from './play-timers.js';

/** The first two come before a review; a refund meets a release instead. */
const withoutRace = ['complete', 'submit', 'refund'];

describe('the matrix of timers', () => {
  it('has a race with every call about a milestone under review', () => {
    const paths = allRoutes.map(({ path }) => /^\/orders\/\{id\}\/milestones\/\{ref\}\/(\S+)$/.exec(path)?.[1]);
    const calls = paths.filter((call) => call !== undefined);
    expect([...racedCalls, ...withoutRace].toSorted()).toEqual(calls.toSorted());
  });
});
