import { z } from 'zod';
import type { IncomingMessage } from 'node:http';
import { AppError } from '@holdfast/kernel/errors';
import { send, type Middleware } from '@holdfast/http/server';

/** What a one-time code of the console is exchanged for. */
export type ConsoleSession = {
  readonly token: string;
  readonly expiresAt: string;
  /** The one-time code with which the page renews its token. */
  readonly nextCode: string;
};

/** Exchanges a one-time code. Undefined if it is wrong, used or expired. */
export type ConsoleSignIn = (code: string) => Promise<ConsoleSession | undefined>;

const codeLengthMax = 100;
const body = z.strictObject({ code: z.string().min(1).max(codeLengthMax) });

/**
 * Refuses whatever is not a page of this gateway on this machine: another machine's browser, and, by the Host, a foreign name that
 * leads to the loopback address (DNS rebinding). See ADR 0113.
 */
export const requireOwnPage: Middleware = (request, _response, next) => {
  const { host = '', origin } = request.headers;
  if (!isLoopback(host) || origin !== `http://${host}`) throw new AppError('INSUFFICIENT_SCOPE', {}, { message: ownPageOnly });
  next();
};

const ownPageOnly = 'Only the console itself, opened on this machine, can exchange a code.';

/** Exchanges the code of the body for a token. */
export function exchangeCode(signIn: ConsoleSignIn): Middleware {
  return async (request, response) => {
    const session = await signIn(codeOf(request, response.locals.body));
    if (session === undefined) throw new AppError('UNAUTHORIZED', { reason: 'code' }, { message: codeRefused });
    send(response, { status: 201, text: JSON.stringify({ data: session }) });
  };
}

const codeRefused = 'This code is wrong, used or expired: sign in with an API key, or take the address of the next "npm start".';

function codeOf({ headers }: IncomingMessage, bytes: Buffer): string {
  if (headers['content-type'] !== 'application/json') throw new AppError('UNSUPPORTED_MEDIA_TYPE');
  const parsed = body.safeParse(jsonIn(bytes));
  if (parsed.success) return parsed.data.code;
  throw new AppError('VALIDATION_ERROR', { validationErrors: ['the body must be { "code": "…" }'] });
}

function jsonIn(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

const loopbackHost = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/;

function isLoopback(host: string): boolean {
  return loopbackHost.test(host);
}
