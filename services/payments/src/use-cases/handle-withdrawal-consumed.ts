import { type Envelope, type Payload, type balanceWithdrawalConsumed } from '@holdfast/contracts/messages';
import type { Context } from '@holdfast/kernel/context';
import { notBuilt } from './not-built.js';
import type { Deps } from './ports.js';

export function handleWithdrawalConsumed(
  _deps: Deps,
  _message: Envelope<Payload<typeof balanceWithdrawalConsumed>>,
  _ctx: Context,
): Promise<void> {
  return notBuilt();
}
