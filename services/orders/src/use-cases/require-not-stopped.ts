import { allSagas, signsTransactions } from '@holdfast/contracts/sagas';
import { AppError } from '@holdfast/kernel/errors';
import type { RunName } from '../domain/order.js';
import type { Deps, PlatformState } from './ports.js';

const signing: ReadonlySet<string> = new Set(allSagas.filter(signsTransactions).map(({ name }) => name));

/**
 * PLATFORM_STOPPED for a saga that signs, while a person has stopped the platform. It is checked last, so that a request which is
 * refused anyway says why, and before anything is written. A run that has started before waits for the end of the stop.
 * See ADR 0085.
 */
export function requireNotStopped({ isStoppedBySetting }: Deps, saga: RunName, { isStopped }: PlatformState): void {
  if (!signing.has(saga)) return;
  if (isStopped || isStoppedBySetting) throw new AppError('PLATFORM_STOPPED');
}
