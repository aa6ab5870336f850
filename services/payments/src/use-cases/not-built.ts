import { AppError } from '@holdfast/kernel/errors';

/** Placeholder of a use case that is not built yet. */
export function notBuilt(): Promise<never> {
  return Promise.reject(new AppError('SERVICE_UNAVAILABLE'));
}
