import type { Context } from '@holdfast/kernel/context';
import type { PayinUpdate } from '../domain/provider-updates.js';
import { notBuilt } from './not-built.js';
import type { Deps } from './ports.js';

/** `applied`: something changed. `unchanged`: nothing new. `unknown`: no top-up has this code or pay-in. */
export type UpdateResult = 'applied' | 'unchanged' | 'unknown';

/**
 * Applies what was learned about a pay-in, from whichever source. Learning it again changes nothing. Invalid transitions are logged.
 */
export function applyPayinUpdate(
  _deps: Deps,
  _update: PayinUpdate,
  _ctx: Pick<Context, 'requestId' | 'at' | 'log'>,
): Promise<UpdateResult> {
  return notBuilt();
}
