import { isAppError } from '@holdfast/kernel/errors';

/** The code and details of a refusal. */
export async function refusalOf(request: Promise<unknown>): Promise<readonly unknown[]> {
  try {
    await request;
  } catch (error) {
    if (isAppError(error)) return [error.code, error.details];
    throw error;
  }
  throw new Error('The request was not refused.');
}
