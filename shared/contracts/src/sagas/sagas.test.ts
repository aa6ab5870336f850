import {
  allMessages,
  balanceCredited,
  escrowReleased,
  messagesAcknowledged,
  publishersOf,
  type MessageDeclaration,
} from '../messages/index.js';
import { serviceNames } from '../services/index.js';
import {
  acknowledgersOf,
  allSagas,
  awaitedBy,
  consumedBy,
  consumersOf,
  depositSaga,
  fundSaga,
  hasDeadline,
  outsideSagas,
  publishedBy,
  saga,
  type Saga,
  type SagaStep,
} from './index.js';

type NamedStep = { readonly saga: Saga; readonly step: SagaStep; readonly at: string };

const steps: readonly NamedStep[] = allSagas.flatMap((declared) =>
  Object.entries(declared.steps).map(([name, step]) => ({ saga: declared, step, at: `${declared.name}: ${name}` })),
);
const stepsOf = (declared: Saga): readonly SagaStep[] => Object.values(declared.steps);

function isHandledIn(declared: Saga, { type }: MessageDeclaration, by?: string): boolean {
  const handling = stepsOf(declared).filter((step) => awaitedBy(step).some((awaited) => awaited.type === type));
  return handling.some((step) => by === undefined || step.by === by);
}

/** Whatever saga it is published in. */
function isHandledOutside({ type }: MessageDeclaration): boolean {
  const outside = serviceNames.flatMap((service) => consumedBy(service)).filter((each) => each.saga === undefined);
  return outside.some(({ declaration }) => declaration.type === type);
}

const starterOf = ({ steps: declared }: Saga) => declared['start']?.by;

describe('the sagas', () => {
  it('have unique names', () => {
    expect(new Set(allSagas.map(({ name }) => name)).size).toBe(allSagas.length);
  });

  it.each(steps)('$at publishes only messages of its service', ({ step }) => {
    for (const published of publishedBy(step)) expect(publishersOf(published)).toContain(step.by);
  });

  it.each(steps)('$at awaits only messages that the saga publishes', ({ saga: declared, step }) => {
    const published = stepsOf(declared).flatMap(publishedBy);
    for (const awaited of awaitedBy(step)) expect(published).toContain(awaited);
  });

  it.each(allSagas)('$name: internal messages are handled, and there is one point of no return and an end', (declared) => {
    const internal = stepsOf(declared)
      .flatMap(publishedBy)
      .filter(({ visibility, type }) => visibility === 'internal' && type !== 'audit.recorded');
    for (const published of internal) {
      const isHandled = isHandledIn(declared, published) || isHandledOutside(published);
      expect([published.type, isHandled]).toEqual([published.type, true]);
    }
    expect(stepsOf(declared).some(({ ends }) => ends === 'succeeded')).toBe(true);
    expect(stepsOf(declared).filter(({ pointOfNoReturn }) => pointOfNoReturn === true)).toHaveLength(1);
  });

  it.each(allSagas)('$name: every failure is handled', (declared) => {
    for (const failure of stepsOf(declared).flatMap(({ orElse = [] }) => orElse)) {
      expect([failure.type, isHandledIn(declared, failure)]).toEqual([failure.type, true]);
    }
  });

  it.each(allSagas)('$name: the point of no return has a deadline with an abort, or says why it has none', (declared) => {
    const last = Object.entries(declared.steps).find(([, { pointOfNoReturn }]) => pointOfNoReturn === true);
    if (last === undefined) throw new Error(`${declared.name} has no point of no return`);
    const [name, step] = last;
    expect([step.deadline === undefined, step.noDeadline === undefined].filter(Boolean)).toHaveLength(1);
    const abort = stepsOf(declared).find(({ aborts }) => aborts === name);
    const request = stepsOf(declared).find(({ afterDeadlineOf }) => afterDeadlineOf === name);
    expect(hasDeadline(declared)).toBe(step.deadline !== undefined);
    expect([abort === undefined, request === undefined]).toEqual([!hasDeadline(declared), !hasDeadline(declared)]);
    if (abort === undefined || request === undefined) return;
    expect([abort.by, request.by]).toEqual([step.by, starterOf(declared)]);
    expect(awaitedBy(abort)).toEqual(request.publishes);
    // The abort publishes what the step publishes when it fails, so the ordinary compensations run.
    for (const reply of abort.publishes) expect(step.orElse).toContain(reply);
  });

  // Queues are bound by message type alone, so a service receives the message from every saga that publishes it.
  it.each(allSagas)(
    '$name: a service that consumes one of its messages in any saga has a step for it in this one',
    (declared) => {
      for (const published of stepsOf(declared).flatMap(({ publishes, orElse = [] }) => [...publishes, ...orElse])) {
        const inSagas = serviceNames.filter((service) => allSagas.some((other) => isHandledIn(other, published, service)));
        const here = inSagas.filter((service) => isHandledIn(declared, published, service));
        expect([published.type, ...here]).toEqual([published.type, ...inSagas]);
      }
    },
  );
});

describe('consumedBy', () => {
  it.each(serviceNames)('%s: a message is consumed in sagas or outside of them, never both', (service) => {
    const consumed = consumedBy(service);
    const inSagas = new Set(consumed.filter((each) => each.saga !== undefined).map(({ declaration }) => declaration.type));
    const outside = consumed.filter((each) => each.saga === undefined).map(({ declaration }) => declaration.type);
    expect(outside.filter((type) => inSagas.has(type))).toEqual([]);
    expect(new Set(outside).size).toBe(outside.length);
  });

  it('has a consumer for every internal message', () => {
    const internal = allMessages.filter(({ visibility }) => visibility === 'internal');
    expect(internal.filter((declaration) => consumersOf(declaration).length === 0)).toEqual([]);
  });
});

describe('a message that no saga run resends', () => {
  const acknowledged = allMessages.filter((declaration) => declaration.acknowledged === true);
  const inRun = { saga: 'release', sagaRunId: 'run_1' } as const;
  /** If one is lost, no money is lost; decision 74 says why they are published once. */
  const publishedOnce = ['user.created', 'audit.recorded'];

  it('is acknowledged by its consumers', () => {
    const outside = serviceNames.flatMap((service) => Object.values<MessageDeclaration>(outsideSagas[service]));
    const withoutRun = [...outside, ...stepsOf(depositSaga).flatMap(awaitedBy)];
    const unacknowledged = withoutRun.filter((declaration) => acknowledgersOf(declaration).length === 0).map(({ type }) => type);
    expect(new Set(unacknowledged)).toEqual(new Set(publishedOnce));
  });

  it('is acknowledged by all consumers if it is declared so, in a saga run or not', () => {
    for (const declaration of acknowledged)
      expect(acknowledgersOf({ ...declaration, ...inRun })).toEqual(consumersOf(declaration));
    expect(acknowledged.length).toBeGreaterThan(10);
  });

  it('is acknowledged by the steps that await it if it has a saga and no run', () => {
    const { type } = escrowReleased;
    expect(acknowledgersOf({ type, saga: 'release' })).toEqual(['ledger-balance', 'orders']);
    expect(acknowledgersOf({ type, ...inRun })).toEqual([]);
    expect(acknowledgersOf({ type })).toEqual([]);
    expect(acknowledgersOf({ type: balanceCredited.type, saga: 'deposit' })).toEqual([]);
  });

  it('has one publisher, which consumes the acknowledgements', () => {
    const awaited = allSagas.flatMap(stepsOf).flatMap(awaitedBy);
    const publishers = [...acknowledged, ...awaited].map(publishersOf);
    expect(publishers.filter((each) => each.length !== 1)).toEqual([]);
    expect(consumersOf(messagesAcknowledged)).toEqual(serviceNames.filter((name) => publishers.flat().includes(name)));
  });
});

describe('the declaration of a saga', () => {
  it('compiles only if a compensation names another step of the same saga', () => {
    const start = { by: 'orders', does: 'starts', publishes: [] } as const;
    expect(saga('one', '', { start, revert: { ...start, compensates: 'start' } }).steps.revert.compensates).toBe('start');
    // @ts-expect-error -- there is no such step
    saga('two', '', { start, revert: { ...start, compensates: 'deduct' } });
    // @ts-expect-error -- no step compensates itself
    saga('three', '', { start, revert: { ...start, compensates: 'revert' } });
    // @ts-expect-error -- there is no such service
    saga('four', '', { start: { ...start, by: 'billing' } });
    // @ts-expect-error -- there is no such provider operation
    saga('five', '', { start: { ...start, calls: ['mint'] } });
  });

  it('preserves the literal types of its names', () => {
    const name: 'fund' = fundSaga.name;
    const compensated: 'deduct' = fundSaga.steps.restore.compensates;
    expect([name, compensated]).toEqual(['fund', 'deduct']);
  });
});
