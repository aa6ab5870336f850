import * as message from '@holdfast/contracts/messages';
import type { Context } from '@holdfast/kernel/context';
import { handleCaseBooked } from '../use-cases/handle-case-replies.js';
import { handleLedgerPayoutFailed, handleLedgerPayoutLanded } from '../use-cases/handle-ledger-payout.js';
import { handleTopupCredited, handleTopupRefused } from '../use-cases/handle-topup-credited.js';
import { handleWithdrawalDeducted } from '../use-cases/handle-withdrawal-deducted.js';
import { handleWithdrawalFreed } from '../use-cases/handle-withdrawal-freed.js';
import { handleWithdrawalReserved, handleWithdrawalRefused } from '../use-cases/handle-withdrawal-reserved.js';
import type { Deps } from '../use-cases/ports.js';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- each handler knows the payload of its message
type Handler = (deps: Deps, envelope: message.Envelope<any>, ctx: Context) => Promise<unknown>;

/** The handlers of messages/consumers.ts, without the consumers of the service kit, which load a broker and a database. */
const handlers: Readonly<Record<string, Handler>> = {
  [message.balanceTopupCredited.type]: handleTopupCredited,
  [message.balanceTopupRefused.type]: handleTopupRefused,
  [message.balanceWithdrawalReserved.type]: handleWithdrawalReserved,
  [message.balanceWithdrawalRefused.type]: handleWithdrawalRefused,
  [message.balanceWithdrawalDeducted.type]: handleWithdrawalDeducted,
  [message.balanceWithdrawalFreed.type]: handleWithdrawalFreed,
  [message.withdrawalLedgerPayoutLanded.type]: handleLedgerPayoutLanded,
  [message.withdrawalLedgerPayoutFailed.type]: handleLedgerPayoutFailed,
  [message.balanceCaseBooked.type]: handleCaseBooked,
};

/** Handles a message as the consumer of its type does. */
export async function deliver(deps: Deps, envelope: message.Envelope, ctx: Context): Promise<void> {
  const handler = handlers[envelope.type];
  if (handler === undefined) throw new Error(`The unit tests of payments do not handle ${envelope.type}.`);
  await handler(deps, envelope, ctx);
}
