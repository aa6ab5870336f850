import type { ReportPart } from '@holdfast/contracts/http';
import { isAppError } from '@holdfast/kernel/errors';

/** A source could not be read in time. The report names it. */
export class Unavailable extends Error {
  readonly part: ReportPart;

  constructor(part: ReportPart, cause: unknown) {
    super(`${part} could not be read`, { cause });
    this.name = 'Unavailable';
    this.part = part;
  }
}

/** Reads from a source. Its failures are Unavailable; an error of another kind is a bug, and passed on. */
export async function readPart<Result>(part: ReportPart, read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (isAppError(error, 'SERVICE_UNAVAILABLE') || isAppError(error, 'PROVIDER_TIMEOUT') || isAbort(error))
      throw new Unavailable(part, error);
    throw error;
  }
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError');
}
