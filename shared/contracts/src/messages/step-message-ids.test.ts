import { stepMessageIds, type PublishingStep } from './index.js';

const step: PublishingStep = { cause: 'run_1', name: 'balance.reservation_made', at: '2026-01-31T12:00:00.123456Z' };

function idsOf(given: Partial<PublishingStep>, ...types: readonly string[]): readonly string[] {
  return types.map(stepMessageIds({ ...step, ...given }));
}

describe('the ids of the messages of a step', () => {
  it('are the same for a repeat of the step, whatever else it publishes', () => {
    expect(idsOf({}, 'a', 'b')).toEqual(idsOf({}, 'a', 'b'));
    expect(idsOf({}, 'b')).toEqual(idsOf({}, 'a', 'b').slice(1));
  });

  it('differ by position, type, step and cause', () => {
    const ids = [
      ...idsOf({}, 'a', 'a', 'b'),
      ...idsOf({ name: 'balance.reservation_refused' }, 'a'),
      ...idsOf({ cause: 'run_2' }, 'a'),
    ];
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('sort by the time of the step', () => {
    const [earlier, later] = [idsOf({}, 'b', 'a'), idsOf({ at: '2026-01-31T12:00:00.124000Z' }, 'b', 'a')];
    expect([...earlier, ...later].sort().slice(2)).toEqual([...later].sort());
  });
});
