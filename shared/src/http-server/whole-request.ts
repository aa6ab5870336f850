import type { WholeRequest } from './served.js';

/** A request at the front of some bytes, and how many of them it takes. */
export type FoundRequest = Pick<WholeRequest, 'method' | 'url' | 'headers' | 'rawHeaders' | 'body'> & { readonly bytes: number };

const headBytesMax = 8 * 1024;
const endOfLine = '\r\n';
const endOfHead = '\r\n\r\n';
const nothing = Buffer.alloc(0);

/**
 * Every form that a plain request may have, letter by letter: what could be read in two ways has no place here. A header is a
 * name of letters, digits and dashes, a colon, one space, and a value that begins and ends with a visible character.
 */
const plainHead =
  /^(?:GET|POST|PATCH|DELETE) \/[\w\-.~!$&'()*+,;=:@%/?]* HTTP\/1\.1(?:\r\n[A-Za-z\d-]+: [!-~](?:[ -~]*[!-~])?)+$/;
const plainLength = /^\d{1,6}$/;

/**
 * The request that these bytes begin with, where it is there from its first letter to the last byte of its body and leaves no
 * question open. Undefined is no verdict: Node's own parser has to read it then.
 */
export function findWholeRequest(bytes: Buffer): FoundRequest | undefined {
  const text = bytes.toString('latin1', 0, headBytesMax);
  const headLength = text.indexOf(endOfHead);
  if (headLength === -1) return undefined;
  const head = text.slice(0, headLength);
  if (!plainHead.test(head)) return undefined;
  const lineLength = head.indexOf(endOfLine);
  const methodLength = head.indexOf(' ');
  const rawHeaders = rawHeadersOf(head, lineLength + endOfLine.length);
  const headers = namedOnce(rawHeaders);
  if (headers === undefined) return undefined;
  const bodyLength = bodyLengthOf(headers);
  const bodyAt = headLength + endOfHead.length;
  if (bodyLength === undefined || bytes.length < bodyAt + bodyLength) return undefined;
  return {
    method: head.slice(0, methodLength),
    url: head.slice(methodLength + 1, lineLength - ' HTTP/1.1'.length),
    headers,
    rawHeaders,
    body: bodyLength === 0 ? nothing : bytes.subarray(bodyAt, bodyAt + bodyLength),
    bytes: bodyAt + bodyLength,
  };
}

/** Names and values in turn. The form of the lines is known by now. */
function rawHeadersOf(head: string, from: number): string[] {
  const rawHeaders: string[] = [];
  for (let at = from; at < head.length;) {
    const colon = head.indexOf(':', at);
    const next = head.indexOf(endOfLine, colon);
    const end = next === -1 ? head.length : next;
    rawHeaders.push(head.slice(at, colon), head.slice(colon + 2, end));
    at = end + endOfLine.length;
  }
  return rawHeaders;
}

type Headers = Record<string, string | undefined>;

/** By name in small letters. Undefined where one came twice: Node knows which of them may. */
function namedOnce(rawHeaders: readonly string[]): Headers | undefined {
  const headers: Headers = {};
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    if (headers[name] !== undefined) return undefined;
    headers[name] = rawHeaders[index + 1];
  }
  return headers;
}

/** Undefined where the body, or what follows it, is not told by a length alone. */
function bodyLengthOf(headers: Headers): number | undefined {
  const { host, connection, upgrade, expect, 'transfer-encoding': encoding, 'content-length': length } = headers;
  if (host === undefined || encoding !== undefined || upgrade !== undefined || expect !== undefined) return undefined;
  if (connection !== undefined && connection.toLowerCase() !== 'keep-alive') return undefined;
  if (length === undefined) return 0;
  return plainLength.test(length) ? Number(length) : undefined;
}
