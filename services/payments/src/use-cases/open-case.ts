import type { Context } from '@holdfast/kernel/context';
import type { NewCase } from '../domain/case.js';
import type { UnitOfWork } from './ports.js';

/**
 * Opens a case within the transaction that found it, once per kind and source, and starts the saga that books its money to the
 * suspense account.
 */
export function openCase(_tx: UnitOfWork, _found: NewCase, _ctx: Pick<Context, 'requestId' | 'at' | 'log'>): Promise<void> {
  return Promise.reject(new Error('Cases cannot be opened yet.'));
}
