import type { Context } from '@holdfast/kernel/context';
import type { Envelope } from '@holdfast/contracts/messages';
import { published, type Published } from '@holdfast/contracts/sagas';
import { publishAuditEntries } from '@holdfast/sagas';
import type { Order } from '../domain/order.js';
import { failureEntry } from './audit.js';
import { orderOfMessage } from './handle-reply.js';
import { orderKind } from './order-kind.js';
import { originOfMessage } from './origin.js';
import type { Deps } from './ports.js';

type Contradiction = Envelope<{ readonly orderId: string; readonly reason: string }>;

/**
 * What was paid contradicts what was decided, and no retry helps: the run waits for an operator. The order stays as it is, because it is
 * not known yet what is right.
 */
export async function handleSettlementContradicted(deps: Deps, message: Contradiction, ctx: Context): Promise<Published> {
  const { orderId, reason } = message.payload;
  let stopped: Order | undefined;
  await deps.onMessage(message, orderId, (tx, locked) => {
    stopped = orderOfMessage(locked, { message, orderId }, ctx);
    if (stopped === undefined) return;
    const { activeRun } = stopped;
    if (activeRun !== null && activeRun.runId === message.sagaRunId) tx.runs.stopRetries(activeRun.runId, reason);
    const auditEntries = [failureEntry('SETTLEMENT_CONTRADICTED', stopped, stopped, reason)];
    publishAuditEntries(tx, orderKind, stopped, { auditEntries, origin: originOfMessage(message, ctx, stopped) });
  });
  if (stopped === undefined) return published;
  deps.settlementsContradicted.inc();
  const { status, closeReason } = stopped;
  ctx.log.error({ orderId, sagaRunId: message.sagaRunId, status, closeReason, reason }, 'settlement contradicted');
  return published;
}
