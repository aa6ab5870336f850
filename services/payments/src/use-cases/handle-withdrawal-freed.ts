import { type Envelope, type Payload, type balanceWithdrawalFreed } from '@holdfast/contracts/messages';
import type { Context } from '@holdfast/kernel/context';
import { notBuilt } from './not-built.js';
import type { Deps } from './ports.js';

export function handleWithdrawalFreed(
  _deps: Deps,
  _message: Envelope<Payload<typeof balanceWithdrawalFreed>>,
  _ctx: Context,
): Promise<void> {
  return notBuilt();
}
