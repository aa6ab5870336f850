import {
  type Envelope,
  type Payload,
  type balanceWithdrawalHeld,
  type balanceWithdrawalRefused,
} from '@holdfast/contracts/messages';
import type { Context } from '@holdfast/kernel/context';
import { notBuilt } from './not-built.js';
import type { Deps } from './ports.js';

export function handleWithdrawalHeld(
  _deps: Deps,
  _message: Envelope<Payload<typeof balanceWithdrawalHeld>>,
  _ctx: Context,
): Promise<void> {
  return notBuilt();
}

export function handleWithdrawalRefused(
  _deps: Deps,
  _message: Envelope<Payload<typeof balanceWithdrawalRefused>>,
  _ctx: Context,
): Promise<void> {
  return notBuilt();
}
