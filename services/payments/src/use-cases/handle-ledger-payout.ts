import {
  type Envelope,
  type Payload,
  type withdrawalLedgerPayoutLanded,
  type withdrawalLedgerPayoutFailed,
} from '@holdfast/contracts/messages';
import type { Context } from '@holdfast/kernel/context';
import { notBuilt } from './not-built.js';
import type { Deps } from './ports.js';

export function handleLedgerPayoutLanded(
  _deps: Deps,
  _message: Envelope<Payload<typeof withdrawalLedgerPayoutLanded>>,
  _ctx: Context,
): Promise<void> {
  return notBuilt();
}

export function handleLedgerPayoutFailed(
  _deps: Deps,
  _message: Envelope<Payload<typeof withdrawalLedgerPayoutFailed>>,
  _ctx: Context,
): Promise<void> {
  return notBuilt();
}
