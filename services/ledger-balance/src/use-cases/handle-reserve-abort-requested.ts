import type { Context } from '@holdfast/kernel/context';
import {
  balanceReservationRefused,
  balanceWithdrawalRefused,
  type Envelope,
  type MessageDeclaration,
  type orderAbortRequested,
  type Payload,
  type withdrawalAbortRequested,
} from '@holdfast/contracts/messages';
import { published, type Published } from '@holdfast/contracts/sagas';
import type { MessageId } from '@holdfast/kernel/ids';
import type { Deps, OutgoingMessage } from './ports.js';

export function handleReserveAbortRequested(
  deps: Deps,
  message: Envelope<Payload<typeof orderAbortRequested>>,
  ctx: Context,
): Promise<Published<'balance.reservation_refused'>> {
  const { commandId, ...reservedFor } = message.payload;
  return abort(
    deps,
    message,
    { commandId, reply: reply(balanceReservationRefused, reservedFor, { ...reservedFor, ...abortedBy(message) }) },
    ctx,
  );
}

export function handleWithdrawalAbortRequested(
  deps: Deps,
  message: Envelope<Payload<typeof withdrawalAbortRequested>>,
  ctx: Context,
): Promise<Published<'balance.withdrawal_refused'>> {
  const { commandId, ...reservedFor } = message.payload;
  const refused = reply(balanceWithdrawalRefused, reservedFor, { ...reservedFor, ...abortedBy(message) });
  return abort(deps, message, { commandId, reply: refused }, ctx);
}

function abortedBy({ sagaRunId }: Envelope) {
  return { code: 'PROVIDER_TIMEOUT', details: { sagaRunId, isAborted: true } } as const;
}

type Funds = { readonly userId: string; readonly currency: string };

/** The reply changes no balance, so it carries no version of one. */
function reply<M extends MessageDeclaration>(
  declaration: M,
  { userId, currency }: Funds,
  payload: Payload<M>,
): OutgoingMessage<M['type']> {
  return { declaration, aggregateId: userId, aggregatePart: currency, aggregateVersion: 0, payload };
}

type Aborted<Type extends string> = { readonly commandId: MessageId; readonly reply: OutgoingMessage<Type> };

/** Refuses the reservation of a run that is past its deadline, for good. A reservation that was made or refused stays as it is. */
async function abort<Type extends string>(
  deps: Deps,
  message: Envelope,
  aborted: Aborted<Type>,
  ctx: Context,
): Promise<Published<Type>> {
  const { sagaRunId, aggregateId } = message;
  const isAborted = await deps.abortRun(message, aborted);
  ctx.log.warn({ aggregateId, sagaRunId, isAborted }, 'abort of a saga run requested');
  return published;
}
