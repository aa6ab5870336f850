import { AppError } from '@holdfast/kernel/errors';

/** A request failed because its service was not there. The proxy logs the outage; the request needs no log line of its own. */
export class ServiceUnreachable extends AppError {
  constructor(options?: { readonly cause?: unknown }) {
    super('SERVICE_UNAVAILABLE', {}, options);
    this.name = 'ServiceUnreachable';
  }
}
