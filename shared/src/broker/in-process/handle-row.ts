import type { Log } from '../../context/index.js';
import type { BrokerEvent, Delivery } from '../broker.js';
import { parseEnvelope } from '../envelope.js';
import { judgeFailure } from '../failure.js';
import type { Outcome } from './outcomes.js';

/** A delivery as the table has it. */
export type Row = { readonly messageId: string; readonly type: string; readonly body: string; readonly attempts: number };

export type Handler = (delivery: Delivery) => Promise<void>;

export type HandlingOptions = {
  readonly queue: string;
  readonly ladderMs: readonly number[];
  readonly log: Log;
  readonly onEvent: (event: BrokerEvent) => void;
};

/** Never rejects. The body is read anew for every delivery, so that handlers share nothing with publishers or each other. */
export async function handleRow(options: HandlingOptions, handler: Handler, row: Row): Promise<Outcome['verdict']> {
  const { queue, ladderMs, log, onEvent } = options;
  const { messageId, type, attempts } = row;
  try {
    await handler({ envelope: parseEnvelope(row.body), attempts });
  } catch (error) {
    const verdict = judgeFailure(error, attempts, ladderMs);
    const fields = { queue, messageId, type, attempts: verdict.attempts, err: error };
    if (verdict.kind === 'retry') log.warn({ ...fields, delayMs: verdict.delayMs }, 'message failed and will be tried again');
    else log.error({ ...fields, reason: verdict.reason }, 'message parked');
    onEvent({ kind: verdict.kind === 'retry' ? 'retried' : 'parked', queue, type });
    return verdict;
  }
  onEvent({ kind: 'handled', queue, type });
  return { kind: 'handled' };
}
