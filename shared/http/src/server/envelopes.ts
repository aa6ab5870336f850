import type { ServerResponse } from 'node:http';
import { browserResponse, statusOf, type RouteDeclaration } from '@holdfast/contracts/http';
import type { AppError } from '@holdfast/kernel/errors';
import type { Page } from '@holdfast/kernel/pages';
import { paymentPagePolicy } from '../payment-page/index.js';
import type { Acceptance, Creation, Download } from './bind-routes.js';

/** A response that is ready to be sent. */
export type PreparedResponse = {
  readonly status: number;
  readonly text: string;
  /** Default: JSON. */
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** For streams, instead of `text`: called with the response after the headers were sent. */
  readonly open?: (response: ServerResponse) => void;
  /** For downloads, instead of `text`. */
  readonly chunks?: AsyncIterable<string>;
};

type Meta = { readonly requestId: string; readonly timestamp: string };

/**
 * Returns a function that wraps the result of a handler as the route declares. It serializes the data only once. See ADR 0059.
 */
export function successEnvelope({ family, success }: RouteDeclaration): (data: unknown, meta: Meta) => PreparedResponse {
  const { status, existingStatus, acceptedStatus, download } = success;
  if (success.form === 'bare') return (data) => ({ status, text: wrapPlain(data) });
  if (success.form === 'page') return pageResponse;
  if (success.form === 'event-stream') return streamResponse;
  if (family === 'account') return (data) => accountResponse(success.message, data);
  const wrap = success.list === true ? wrapList : family === 'order' ? wrapOrder : wrapPlain;
  const respond = (data: unknown, { requestId, timestamp }: Meta, statusCode: number): PreparedResponse => ({
    status: statusCode,
    text: `{"data":${wrap(data)},"meta":{"requestId":"${requestId}","timestamp":"${timestamp}"}}`,
  });
  if (download !== undefined)
    return (data, meta) => (isDownload(data) ? downloadResponse(data, download.contentType) : respond(data, meta, status));
  if (acceptedStatus !== undefined)
    return (accepted, meta) => {
      if (!isAcceptance(accepted))
        throw new Error('the handler of a route with an acceptedStatus must return { isPending, data }');
      return respond(accepted.data, meta, accepted.isPending ? acceptedStatus : status);
    };
  if (existingStatus === undefined) return (data, meta) => respond(data, meta, status);
  return (created, meta) => {
    if (!isCreation(created)) throw new Error('the handler of a create route must return { isNew, data }');
    return respond(created.data, meta, created.isNew ? status : existingStatus);
  };
}

/** Parses the result, because `redirectTo` becomes a header and must be an absolute URL. So far, all pages belong to a payment. */
function pageResponse(data: unknown): PreparedResponse {
  const { redirectTo, html } = browserResponse.parse(data);
  const page = { text: html, contentType: 'text/html; charset=utf-8' };
  const headers = { 'Content-Security-Policy': paymentPagePolicy };
  return redirectTo === null
    ? { ...page, status: 200, headers }
    : { ...page, status: 302, headers: { ...headers, Location: new URL(redirectTo).href } };
}

/** The headers forbid proxies to buffer or compress the stream. */
function streamResponse(open: unknown): PreparedResponse {
  if (!isOpener(open)) throw new Error('the handler of an event stream must return a function');
  const headers = { 'Cache-Control': 'no-cache, no-transform', 'X-Accel-Buffering': 'no' };
  return { status: 200, text: '', contentType: 'text/event-stream; charset=utf-8', headers, open };
}

function downloadResponse({ fileName, chunks }: Download, type: string): PreparedResponse {
  const headers = { 'Content-Disposition': `attachment; filename="${fileName}"` };
  return { status: 200, text: '', contentType: `${type}; charset=utf-8`, headers, chunks };
}

function isDownload(value: unknown): value is Download {
  return typeof value === 'object' && value !== null && 'chunks' in value && 'fileName' in value;
}

function isOpener(value: unknown): value is NonNullable<PreparedResponse['open']> {
  return typeof value === 'function';
}

function isCreation(value: unknown): value is Creation<unknown> {
  return typeof value === 'object' && value !== null && 'isNew' in value && 'data' in value;
}

function isAcceptance(value: unknown): value is Acceptance<unknown> {
  return typeof value === 'object' && value !== null && 'isPending' in value && 'data' in value;
}

function wrapPlain(data: unknown): string {
  return data === undefined ? 'null' : JSON.stringify(data);
}

function wrapOrder(data: unknown): string {
  return `{"success":true,"data":${wrapPlain(data)}}`;
}

function wrapList(data: unknown): string {
  if (!isPage(data)) throw new Error('a list route must return a page');
  const { items, nextCursor } = data;
  return `{"success":true,"data":${JSON.stringify(items)},"hasMore":${nextCursor !== null},"nextCursor":${JSON.stringify(nextCursor)}}`;
}

function isPage(data: unknown): data is Page<unknown> {
  return typeof data === 'object' && data !== null && 'items' in data && 'nextCursor' in data;
}

type OfRoute = Pick<RouteDeclaration, 'family' | 'errorMessages'>;

/** The error response: code, message and details, without the cause. */
export function errorEnvelope(error: AppError, requestId: string, route: OfRoute = { family: 'plain' }): PreparedResponse {
  const { family, errorMessages = {} } = route;
  const { code, details } = error;
  const status = statusOf(code, family);
  const message = errorMessages[code] ?? error.message;
  const body =
    family === 'account'
      ? accountError({ message, details, status })
      : { error: { code, message, details: { ...details, requestId } } };
  return { status, text: JSON.stringify(body), headers: headersOf(error) };
}

function accountResponse(message: string | undefined, data: unknown): PreparedResponse {
  if (message === undefined) throw new Error('a route of the account API declares a message');
  return { status: 200, text: JSON.stringify({ code: 200, type: 'success', ok: true, message, data: data ?? null }) };
}

type AccountError = Pick<AppError, 'message' | 'details'> & { readonly status: number };

const unprocessable = 422;

/** The account API names the status instead of the code, and lists what is wrong with a request. */
function accountError({ message, details, status }: AccountError): object {
  const { validationErrors = [message] } = details;
  const errors = status === unprocessable ? { errors: validationErrors } : {};
  return { code: status, type: 'error', ok: false, message, data: null, ...errors };
}

const retryAfterSecondsDefault = 1;
/** A person ends the stop of the platform, which takes longer. */
const stoppedRetryAfterSeconds = 60;

function headersOf({ code, details }: AppError): Readonly<Record<string, string>> {
  const { retryAfterSeconds = retryAfterSecondsDefault, retryAfter, allowedMethods = [] } = details;
  if (code === 'SERVICE_UNAVAILABLE') return { 'Retry-After': String(retryAfterSeconds) };
  if (code === 'PLATFORM_STOPPED') return { 'Retry-After': String(stoppedRetryAfterSeconds) };
  if (code === 'RATE_LIMITED' && typeof retryAfter === 'number') return { 'Retry-After': String(retryAfter) };
  if (code === 'UNAUTHORIZED') return { 'WWW-Authenticate': 'Bearer' };
  if (code === 'METHOD_NOT_ALLOWED') return { Allow: [allowedMethods].flat().join(', ') };
  return {};
}
