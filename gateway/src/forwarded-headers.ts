import type { IncomingHttpHeaders, ServerResponse } from 'node:http';

/** Hop-by-hop headers, and headers that the gateway sets itself. The trace context of a client is not continued. */
const notForwarded = new Set([
  'connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection', 'te', 'trailer', 'transfer-encoding',
  'upgrade', 'expect', 'host', 'content-length', 'x-request-id', 'traceparent', 'tracestate', 'baggage',
]); // prettier-ignore

/** Services get the signed caller token instead of the credential. */
const credentials = new Set(['authorization', 'cookie']);

const internalPrefix = 'x-holdfast-';

/** The request headers that a service gets, as alternating names and values. Clients cannot set internal headers. */
export function requestHeaders(rawHeaders: readonly string[]): string[] {
  const named = namedByConnection(rawHeaders);
  const forwarded: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = [rawHeaders[index], rawHeaders[index + 1]];
    const lower = name.toLowerCase();
    if (notForwarded.has(lower) || credentials.has(lower) || lower.startsWith(internalPrefix) || named.has(lower)) continue;
    forwarded.push(name, value);
  }
  return forwarded;
}

const notPassedBack = new Set([...notForwarded, 'date']);

/** The response headers that a client gets from a service, as alternating names and values. */
export function responseHeaders(headers: IncomingHttpHeaders): string[] {
  const forwarded: string[] = [];
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || !isPassedBack(name)) continue;
    if (typeof value === 'string') forwarded.push(name, value);
    else for (const one of value) forwarded.push(name, one);
  }
  return forwarded;
}

/** Sets those headers on a response, replacing headers of the same name. */
export function setResponseHeaders(response: ServerResponse, headers: IncomingHttpHeaders): void {
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && isPassedBack(name)) response.setHeader(name, value);
  }
}

function isPassedBack(name: string): boolean {
  return !notPassedBack.has(name) && !name.startsWith(internalPrefix);
}

/**
 * Sets headers given as alternating names and values, replacing headers of the same name. A name may occur several times;
 * `writeHead` with such a list sends only the last one in Node 20.
 */
export function setHeaders(response: ServerResponse, headers: readonly string[]): void {
  const named = new Map<string, string[]>();
  for (let index = 0; index + 1 < headers.length; index += 2) {
    const [name = '', value = ''] = [headers[index], headers[index + 1]];
    named.set(name, [...(named.get(name) ?? []), value]);
  }
  for (const [name, values] of named) response.setHeader(name, values.length === 1 ? values.join() : values);
}

const noNames: ReadonlySet<string> = new Set();

/** The headers that `Connection` names are hop-by-hop, too: `Connection: close, x-mine` names x-mine. */
function namedByConnection(rawHeaders: readonly string[]): ReadonlySet<string> {
  const at = rawHeaders.findIndex((text, index) => index % 2 === 0 && text.toLowerCase() === 'connection');
  const value = at === -1 ? '' : (rawHeaders[at + 1] ?? '').toLowerCase();
  return value === '' || value === 'keep-alive' || value === 'close'
    ? noNames
    : new Set(value.split(',').map((name) => name.trim()));
}
