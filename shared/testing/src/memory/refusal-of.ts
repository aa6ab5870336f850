import { isAppError } from '@holdfast/kernel/errors';

/** The code and details of a refusal. */
export async function refusalOf(request: Promise<unknown>): Promise<readonly unknown[]> {
  const error = await request.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!isAppError(error)) throw error ?? new Error('The request was not refused.');
  return [error.code, error.details];
}
