import type { Context } from '@holdfast/kernel/context';
import type { PayoutUpdate } from '../domain/provider-updates.js';
import type { UpdateResult } from './apply-payin-update.js';
import { notBuilt } from './not-built.js';
import type { Deps } from './ports.js';

/** Applies what was learned about a payout, from whichever source. Learning it again changes nothing. Invalid transitions are logged. */
export function applyPayoutUpdate(
  _deps: Deps,
  _update: PayoutUpdate,
  _ctx: Pick<Context, 'requestId' | 'at' | 'log'>,
): Promise<UpdateResult> {
  return notBuilt();
}
