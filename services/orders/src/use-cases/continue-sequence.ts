import { initEscrow } from '@holdfast/contracts/sagas';
import { idFromParts, type SagaRunId } from '@holdfast/kernel/ids';
import type { Origin } from '@holdfast/sagas';
import type { Order, SagaName, SequenceRun } from '../domain/order.js';
import { originOfNextRun } from './origin.js';
import type { UnitOfWork } from './ports.js';
import { cancelStart } from './request-cancel.js';
import { escrowStart } from './request-escrow.js';
import { fundingStart } from './request-funding.js';
import { reserveStart } from './request-reserve.js';
import { startRun, type SagaStart } from './start-saga.js';

type SequenceSaga = (typeof initEscrow.sagas)[number] | typeof initEscrow.compensatedBy;
type EndedSaga = { readonly order: Order; readonly ended: SagaName; readonly sequence: SequenceRun };

/**
 * Starts the next saga of a sequence in the commit that ends the one before, so that no other operation comes between them and no
 * crash separates them. Undefined if the sequence has ended. See ADR 0060.
 */
export function continueSequence(tx: UnitOfWork, { order, ended, sequence }: EndedSaga, origin: Origin): Order | undefined {
  const saga = nextSaga(ended, sequence);
  return saga === undefined ? undefined : startInSequence(tx, { order, saga, sequence }, origin);
}

/** After a failure the order is canceled, which frees what is reserved for it. */
function nextSaga(ended: SagaName, { failure }: SequenceRun): SequenceSaga | undefined {
  const { sagas, compensatedBy } = initEscrow;
  if (failure !== null) return ended === compensatedBy ? undefined : compensatedBy;
  return sagas[sagas.findIndex((saga) => saga === ended) + 1];
}

type SagaInSequence = { readonly order: Order; readonly saga: SequenceSaga; readonly sequence: SequenceRun };

/** The run id follows from the sequence, so that a repeated decision starts the same run. */
export function startInSequence(tx: UnitOfWork, { order, saga, sequence }: SagaInSequence, origin: Origin): Order {
  const runId = idFromParts('run', origin.step?.at ?? origin.at, [sequence.runId, saga]);
  const start = sagaStartOf(saga, order, runId);
  return startRun(tx, { runId, order, start, partOf: sequence }, originOfNextRun(origin, { saga, runId }));
}

function sagaStartOf(saga: SequenceSaga, order: Order, runId: SagaRunId): SagaStart {
  switch (saga) {
    case 'reserve':
      return reserveStart(order);
    case 'create-escrow':
      return escrowStart(order, idFromParts('esc', order.updatedAt, [runId]));
    case 'fund':
      return fundingStart(order);
    case 'cancel':
      return cancelStart(order, { reason: 'the escrow could not be funded' });
  }
}
