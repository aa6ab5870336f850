/** A response with a status other than 2xx. The caller of the client decides what it means. */
export class HttpStatusError extends Error {
  readonly status: number;
  /** Parsed JSON, or undefined if the body is not JSON. */
  readonly body: unknown;

  constructor(status: number, body: unknown) {
    super(`the response has status ${status}`);
    this.name = 'HttpStatusError';
    this.status = status;
    this.body = body;
  }
}

const transientStatuses: ReadonlySet<number> = new Set([408, 425, 429]);

/** Whether the server refused the request for good. Any other error may be transient, and breakers count it as a failure. */
export function isHttpRefusal(error: unknown): boolean {
  return error instanceof HttpStatusError && error.status < 500 && !transientStatuses.has(error.status);
}

/** Whether the server refused the request because it got too many. */
export function isRateLimited(error: unknown): boolean {
  return error instanceof HttpStatusError && error.status === 429;
}
