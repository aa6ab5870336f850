import { publishersOf, type MessageDeclaration } from '../contracts/messages/index.js';
import { allSagas, type Saga, type SagaStep } from './index.js';

const steps = allSagas.flatMap((saga) => saga.steps.map((step) => ({ saga, step, at: `${saga.name}: ${step.by} ${step.does}` })));

function toldBy({ tells = [], orElse = [] }: SagaStep): readonly MessageDeclaration[] {
  return [...tells, ...orElse];
}

function hearsInSaga({ steps: all }: Saga, { type }: MessageDeclaration): boolean {
  return all.some(({ on }) => on?.type === type);
}

describe('the sagas', () => {
  it.each(steps)('$at: it is listed as listener of what it acts on', ({ step }) => {
    if (step.on !== undefined) expect(step.on.listeners).toContain(step.by);
  });

  it.each(steps)('$at: it owns what it tells', ({ step }) => {
    for (const told of toldBy(step)) expect(publishersOf(told)).toContain(step.by);
  });

  it.each(steps)('$at: somebody in the saga tells what it acts on', ({ saga, step }) => {
    const told = saga.steps.flatMap((other) => toldBy(other).map(({ type }) => type));
    if (step.on !== undefined) expect(told).toContain(step.on.type);
  });

  it.each(allSagas)('$name: whatever is internal is acted on, and the end is reached by success and has a name', (saga) => {
    const internal = saga.steps
      .flatMap(toldBy)
      .filter(({ visibility, type }) => visibility === 'internal' && type !== 'audit.recorded');
    for (const told of internal) expect([told.type, hearsInSaga(saga, told)]).toEqual([told.type, true]);
    expect(saga.steps.some(({ ends }) => ends === 'succeeded')).toBe(true);
    expect(saga.steps.filter(({ isPointOfNoReturn }) => isPointOfNoReturn === true)).toHaveLength(1);
  });

  it.each(allSagas)('$name: whatever can fail is answered', (saga) => {
    for (const failure of saga.steps.flatMap(({ orElse = [] }) => orElse)) {
      expect([failure.type, hearsInSaga(saga, failure)]).toEqual([failure.type, true]);
    }
  });
});
