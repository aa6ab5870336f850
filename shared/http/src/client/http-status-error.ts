/** An answer that says no. The caller of the client decides what it means; the body is for the log and for its eyes only. */
export class HttpStatusError extends Error {
  readonly status: number;
  /** Parsed JSON, or undefined where it was none. */
  readonly body: unknown;

  constructor(status: number, body: unknown) {
    super(`the response has status ${status}`);
    this.name = 'HttpStatusError';
    this.status = status;
    this.body = body;
  }
}

const transientStatuses: ReadonlySet<number> = new Set([408, 425, 429]);

/** A refusal the other side meant, as opposed to one that passes by itself: for breakers, which count only the latter. */
export function isHttpRefusal(error: unknown): boolean {
  return error instanceof HttpStatusError && error.status < 500 && !transientStatuses.has(error.status);
}
