import {
  type Envelope,
  type Payload,
  type balanceCaseBooked,
  type balanceCaseSettled,
  type balanceCaseRefused,
} from '@holdfast/contracts/messages';
import type { Context } from '@holdfast/kernel/context';
import { notBuilt } from './not-built.js';
import type { Deps } from './ports.js';

export function handleCaseBooked(
  _deps: Deps,
  _message: Envelope<Payload<typeof balanceCaseBooked>>,
  _ctx: Context,
): Promise<void> {
  return notBuilt();
}

export function handleCaseSettled(
  _deps: Deps,
  _message: Envelope<Payload<typeof balanceCaseSettled>>,
  _ctx: Context,
): Promise<void> {
  return notBuilt();
}

export function handleCaseRefused(
  _deps: Deps,
  _message: Envelope<Payload<typeof balanceCaseRefused>>,
  _ctx: Context,
): Promise<void> {
  return notBuilt();
}
