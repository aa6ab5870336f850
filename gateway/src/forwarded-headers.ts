import type { IncomingHttpHeaders, ServerResponse } from 'node:http';

/** Belong to one connection, or are set anew here. */
const notForwarded = new Set([
  'connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection', 'te', 'trailer', 'transfer-encoding',
  'upgrade', 'expect', 'host', 'content-length', 'x-request-id',
]); // prettier-ignore

/** The credential ends here: a service sees the signed caller instead. */
const credentials = new Set(['authorization', 'cookie']);

const internalPrefix = 'x-holdfast-';

/** The headers a service gets to see of a request. Nobody outside can speak for the gateway. Names and values in turn. */
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

const dropped = new Set([...notForwarded, 'date']);

/** The headers of a service's response as they leave the platform. Names and values in turn. */
export function responseHeaders(headers: IncomingHttpHeaders): string[] {
  const forwarded: string[] = [];
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || !isPassedBack(name)) continue;
    if (typeof value === 'string') forwarded.push(name, value);
    else for (const one of value) forwarded.push(name, one);
  }
  return forwarded;
}

/** Sets the same headers on a response, in the place of those of the same name that it has. */
export function setResponseHeaders(response: ServerResponse, headers: IncomingHttpHeaders): void {
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && isPassedBack(name)) response.setHeader(name, value);
  }
}

function isPassedBack(name: string): boolean {
  return !dropped.has(name) && !name.startsWith(internalPrefix);
}

/**
 * Sets headers, names and values in turn, in the place of those of the same name that the response has. A name may come several
 * times, of which `writeHead` with a list keeps only the last in Node 20.
 */
export function setHeaders(response: ServerResponse, headers: readonly string[]): void {
  const named = new Map<string, string[]>();
  for (let index = 0; index + 1 < headers.length; index += 2) {
    const [name = '', value = ''] = [headers[index], headers[index + 1]];
    named.set(name, [...(named.get(name) ?? []), value]);
  }
  for (const [name, values] of named) response.setHeader(name, values.length === 1 ? values.join() : values);
}

const nothing: ReadonlySet<string> = new Set();

/** `Connection: close, x-mine` declares x-mine to be about this connection only. */
function namedByConnection(rawHeaders: readonly string[]): ReadonlySet<string> {
  const at = rawHeaders.findIndex((text, index) => index % 2 === 0 && text.toLowerCase() === 'connection');
  const value = at === -1 ? '' : (rawHeaders[at + 1] ?? '').toLowerCase();
  return value === '' || value === 'keep-alive' || value === 'close'
    ? nothing
    : new Set(value.split(',').map((name) => name.trim()));
}
