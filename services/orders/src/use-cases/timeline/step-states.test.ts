import {
  allSagas,
  createEscrowSaga,
  fundSaga,
  releaseSaga,
  reserveSaga,
  resolveDisputeSaga,
  type Saga,
} from '@holdfast/contracts/sagas';
import { mainPathOf, stepStates, type RunEvidence } from './step-states.js';

const running: RunEvidence = { state: 'RUNNING', network: undefined, isRefused: false };

/** The steps in their order, without those that are pending or skipped. */
function statesOf(saga: Saga, evidence: Partial<RunEvidence>): Readonly<Record<string, string>> {
  const states = [...stepStates(saga, { ...running, ...evidence })];
  return Object.fromEntries(states.filter(([, state]) => state !== 'pending' && state !== 'skipped'));
}

const ended = (...replyTypes: readonly string[]) => ({ isOpen: false, replyTypes });
const open = { isOpen: true, replyTypes: [] };

describe('the main path', () => {
  it('goes from the start to the end of a success', () => {
    expect(mainPathOf(fundSaga).map(([name]) => name)).toEqual(['start', 'deduct', 'fund', 'finish']);
    expect(mainPathOf(releaseSaga).map(([name]) => name)).toEqual(['start', 'settle', 'pay', 'finish']);
  });

  it('of every saga that orders starts ends with a success', () => {
    const ofOrders = allSagas.filter(({ steps }) => steps['start']?.by === 'orders');
    expect(ofOrders.length).toBeGreaterThan(8);
    for (const saga of ofOrders) expect(mainPathOf(saga).at(-1)?.[1].ends).toBe('succeeded');
  });
});

describe('the steps of a run', () => {
  it.each<[string, Saga, Partial<RunEvidence>, Readonly<Record<string, string>>]>([
    ['that has begun', fundSaga, {}, { start: 'done', deduct: 'current' }],
    ['on the network', fundSaga, { network: open }, { start: 'done', deduct: 'done', fund: 'current' }],
    [
      'that has funded the contract',
      fundSaga,
      { network: ended('escrow.funded') },
      { start: 'done', deduct: 'done', fund: 'done', finish: 'current' },
    ],
    [
      'whose funding has failed',
      fundSaga,
      { network: ended('escrow.funding_failed') },
      { start: 'compensating', deduct: 'compensating', fund: 'failed', restore: 'current' },
    ],
    [
      'that was taken back',
      fundSaga,
      { state: 'FAILED', network: ended('escrow.funding_failed') },
      { start: 'compensated', deduct: 'compensated', fund: 'failed', restore: 'done', revert: 'done' },
    ],
    [
      'that a rule has refused',
      fundSaga,
      { state: 'FAILED', isRefused: true },
      { start: 'compensated', deduct: 'failed', refuse: 'done' },
    ],
    [
      'that was aborted',
      createEscrowSaga,
      { state: 'FAILED' },
      { start: 'compensated', deploy: 'failed', revert: 'done', requestAbort: 'done', abort: 'done' },
    ],
    ['without a step on the network', reserveSaga, {}, { start: 'done', reserve: 'current' }],
    ['that has succeeded', reserveSaga, { state: 'SUCCEEDED' }, { start: 'done', reserve: 'done', finish: 'done' }],
    [
      'that took one of two ways',
      resolveDisputeSaga,
      { state: 'SUCCEEDED', network: ended('escrow.refunded') },
      { start: 'done', settle: 'done', payRefund: 'done', finishRefund: 'done' },
    ],
  ])('%s', (_, saga, evidence, expected) => {
    expect(statesOf(saga, evidence)).toEqual(expected);
  });

  it('have one state each, and at most one is current', () => {
    const replies = [
      undefined,
      open,
      ...['escrow.funded', 'escrow.settlement_failed', 'escrow.creation_failed'].map((type) => ended(type)),
    ];
    const evidences = (['RUNNING', 'SUCCEEDED', 'FAILED'] as const).flatMap((state) =>
      replies.flatMap((network) => [true, false].map((isRefused) => ({ state, network, isRefused }))),
    );
    for (const saga of allSagas) {
      for (const evidence of evidences) {
        const states = stepStates(saga, evidence);
        expect([...states.keys()]).toEqual(Object.keys(saga.steps));
        const current = [...states.values()].filter((each) => each === 'current');
        expect(current.length).toBeLessThanOrEqual(evidence.state === 'RUNNING' ? 1 : 0);
      }
    }
  });
});
