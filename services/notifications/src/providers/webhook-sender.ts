import { createHmac } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Agent, errors } from 'undici';
import type { Clock } from '@holdfast/kernel/context';
import type { AttemptOutcome, WebhookAttempt, WebhookSender } from '../use-cases/webhooks/ports.js';
import { createAddressPolicy, type Network } from './address-policy.js';
import { requestFailure } from './attempt-failed.js';
import { checkUrl } from './check-url.js';
import { guardedConnector } from './guarded-connector.js';
import { nameResolver, type ResolveName } from './resolve-name.js';
import { post, type PostResponse } from './post.js';
import { renewedAgents } from './renewed-agents.js';
import { retryAfterSeconds } from './retry-after.js';

export type SenderLimits = {
  /** From the call to the last byte that is read of the response. */
  readonly attemptMs: number;
  /** The part of it for name, TCP and TLS. */
  readonly connectMs: number;
};

export type SenderOptions = {
  readonly clock: Clock;
  /** The version of the platform. */
  readonly version: string;
  readonly allowedNetworks: readonly Network[];
  readonly limits?: SenderLimits;
  readonly resolveName?: ResolveName;
  /** Certificate authorities in place of those that Node knows. */
  readonly ca?: string;
};

const defaultLimits: SenderLimits = { attemptMs: 15_000, connectMs: 5_000 };
const headerBytesMax = 16_384;
const bodyBytesMax = 4_096;
/** Receivers that announce a longer time are not believed, so that idle connections to thousands of them end soon. */
const keepAliveMs = 4_000;
const keepAliveMsMax = 10_000;
/** A busy connection is replaced after this time, so that a changed name takes effect. */
const connectionMsMax = 60_000;

/** An agent of our own: the proxy that the environment may name is not used. */
const agentOptions: Agent.Options = {
  pipelining: 1,
  maxHeaderSize: headerBytesMax,
  keepAliveTimeout: keepAliveMs,
  keepAliveMaxTimeout: keepAliveMsMax,
  // `post` covers both.
  headersTimeout: 0,
  bodyTimeout: 0,
};

/** Sends webhooks to addresses that marketplaces choose. No receiver is trusted: see docs/adr/0102. */
export function createWebhookSender(options: SenderOptions): WebhookSender & { readonly close: () => Promise<void> } {
  const { clock, allowedNetworks, limits = defaultLimits } = options;
  const policy = createAddressPolicy(allowedNetworks);
  const { resolveName = nameResolver({ timeoutMs: Math.ceil(limits.connectMs * 0.8) }) } = options;
  const { connectMs } = limits;
  const connect = guardedConnector({ policy, resolveName, connectMs, ...(options.ca === undefined ? {} : { ca: options.ca }) });
  const agents = renewedAgents(() => new Agent({ ...agentOptions, connect }), connectionMsMax);
  const userAgent = `Holdfast-Webhooks/${options.version}`;

  const send = async (attempt: WebhookAttempt, stopped: AbortSignal): Promise<AttemptOutcome> => {
    stopped.throwIfAborted();
    const startedAt = performance.now();
    const finished = (rest: Omit<AttemptOutcome, 'durationMs'>): AttemptOutcome => ({
      durationMs: Math.round(performance.now() - startedAt),
      ...rest,
    });
    const { origin, pathname, search } = new URL(attempt.url);
    const headers = { 'content-type': 'application/json', 'user-agent': userAgent, ...signedHeaders(attempt, clock) };
    const request = { origin, path: pathname + search, method: 'POST', headers, body: attempt.body } as const;
    try {
      const response = await post(agents.current(), request, { limitMs: limits.attemptMs, bodyBytesMax, stopped });
      const outcome = finished(outcomeOf(response, clock));
      await nextTurn(); // undici frees the connection then; an attempt that follows at once would open another one
      return outcome;
    } catch (error) {
      if (stopped.aborted || isOurFault(error)) throw error;
      return finished({ ...noResponse, error: requestFailure(error).outcome });
    }
  };

  return { send, checkUrl: (url) => checkUrl(url, policy, resolveName), close: agents.destroy };
}

const noResponse = { status: null, responseBody: '', retryAfterSeconds: null } as const;

const secretPrefix = 'whsec_';

/**
 * Standard Webhooks: one signature for each secret, over id, time of the attempt and body. Its package signs in JavaScript, which
 * takes four times as long as Node's own HMAC, and more than a millisecond for 64 KiB.
 */
function signedHeaders({ eventId, body, secrets }: WebhookAttempt, clock: Clock): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(clock.epochMs() / 1_000));
  const signatureOf = (secret: string): string => {
    const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${eventId}.${timestamp}.${body}`).digest('base64')}`;
  };
  return {
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map(signatureOf).join(' '),
  };
}

function outcomeOf({ status, headers, body }: PostResponse, clock: Clock): Omit<AttemptOutcome, 'durationMs'> {
  const isDelivered = status >= 200 && status <= 299;
  return {
    status,
    error: isDelivered ? null : 'STATUS',
    responseBody: body,
    retryAfterSeconds: isDelivered ? null : retryAfterSeconds(headers['retry-after'], clock.epochMs()),
  };
}

/** Faults of this process, which say nothing about the receiver. */
function isOurFault(error: unknown): boolean {
  const { InvalidArgumentError, ClientDestroyedError, ClientClosedError } = errors;
  return [InvalidArgumentError, ClientDestroyedError, ClientClosedError].some((kind) => error instanceof kind);
}
