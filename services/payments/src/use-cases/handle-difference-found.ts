import { type Envelope, type Payload, type balanceDifferenceFound } from '@holdfast/contracts/messages';
import type { Context } from '@holdfast/kernel/context';
import { notBuilt } from './not-built.js';
import type { Deps } from './ports.js';

export function handleDifferenceFound(
  _deps: Deps,
  _message: Envelope<Payload<typeof balanceDifferenceFound>>,
  _ctx: Context,
): Promise<void> {
  return notBuilt();
}
