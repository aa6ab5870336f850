import { initEscrow } from '@holdfast/contracts/sagas';
import { idFromParts, type SagaRunId } from '@holdfast/kernel/ids';
import type { Order, SagaName, SequenceRun } from '../domain/order.js';
import { originOfNextRun, type Origin } from './origin.js';
import type { UnitOfWork } from './ports.js';
import { startOfCancel, startOfEscrow, startOfFunding, startOfReserve } from './saga-starts.js';
import { startRun, type SagaStart } from './start-run.js';

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
  const sagaStart = sagaStartOf(saga, order, runId);
  return startRun(tx, { runId, saga, order, sagaStart, partOf: sequence }, originOfNextRun(origin, { saga, runId }));
}

function sagaStartOf(saga: SequenceSaga, order: Order, runId: SagaRunId): SagaStart {
  switch (saga) {
    case 'reserve':
      return startOfReserve(order);
    case 'create-escrow':
      return startOfEscrow(order, idFromParts('esc', order.updatedAt, [runId]));
    case 'fund':
      return startOfFunding(order);
    case 'cancel':
      return startOfCancel(order, { reason: 'the escrow could not be funded' });
  }
}
