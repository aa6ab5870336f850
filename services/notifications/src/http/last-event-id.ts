import type { Instant } from '@holdfast/kernel/context';
import { moment } from '@holdfast/contracts/shapes';
import { AppError } from '@holdfast/kernel/errors';

/** Event ids are timestamps, so the header can be used as a cursor. EventSource sends an empty header where it has no id. */
export function lastEventIdOf(header: string | readonly string[] | undefined): Instant | undefined {
  if (header === undefined || header === '') return undefined;
  const parsed = moment.safeParse(header);
  if (parsed.success) return parsed.data;
  throw new AppError('VALIDATION_ERROR', {
    validationErrors: ['Last-Event-ID must be the id of an event, which is a timestamp'],
  });
}
