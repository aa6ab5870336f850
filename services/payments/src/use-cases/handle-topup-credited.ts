import { type Envelope, type Payload, type balanceTopupCredited, type balanceTopupRefused } from '@holdfast/contracts/messages';
import type { Context } from '@holdfast/kernel/context';
import { notBuilt } from './not-built.js';
import type { Deps } from './ports.js';

export function handleTopupCredited(
  _deps: Deps,
  _message: Envelope<Payload<typeof balanceTopupCredited>>,
  _ctx: Context,
): Promise<void> {
  return notBuilt();
}

export function handleTopupRefused(
  _deps: Deps,
  _message: Envelope<Payload<typeof balanceTopupRefused>>,
  _ctx: Context,
): Promise<void> {
  return notBuilt();
}
