/** One HTTP request of a delivery. The sender signs the body with every secret, at the time of the attempt. */
export type WebhookAttempt = {
  readonly url: string;
  /** The `webhook-id`: the same for every attempt, replay and resend of the event. */
  readonly eventId: string;
  readonly body: string;
  readonly secrets: readonly string[];
};

/** `CONNECT`: refused or reset. `STATUS`: any status but 2xx. `RESPONSE`: no valid response. */
export const attemptErrors = ['DNS', 'BLOCKED_ADDRESS', 'CONNECT', 'TLS', 'TIMEOUT', 'STATUS', 'RESPONSE'] as const;
export type AttemptError = (typeof attemptErrors)[number];

export type AttemptOutcome = {
  readonly durationMs: number;
  /** Null where no response arrived. */
  readonly status: number | null;
  /** Null where the event was delivered. */
  readonly error: AttemptError | null;
  readonly responseBody: string;
  readonly retryAfterSeconds: number | null;
};

export const urlFindings = ['ok', 'malformed', 'not_https', 'not_resolved', 'blocked_address'] as const;
/** `malformed` covers user info and fragments. */
export type UrlFinding = (typeof urlFindings)[number];

export type WebhookSender = {
  readonly send: (attempt: WebhookAttempt, signal: AbortSignal) => Promise<AttemptOutcome>;
  readonly checkUrl: (url: string) => Promise<UrlFinding>;
};
