import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';

/** A request as it goes over the wire, and where in it a new UUID is written each time. */
export type WireRequest = { readonly bytes: Buffer; readonly freshAt: number | undefined };

export type Tally = { responses: number; errors: number; readonly latenciesMs: number[] };

type Connection = { readonly close: () => void };

/** A response that this generator cannot parse counts as an error. */
const statusLine = /^HTTP\/1\.1 (\d{3}) /;
const lengthLine = /\r\ncontent-length: (\d+)\r\n/i;
const endOfHead = '\r\n\r\n';

/**
 * Sends one request after the other over one connection, without pipelining. It is minimal, because it shares the processor with
 * the server under test.
 */
export function openConnection(url: URL, requests: readonly WireRequest[], tally: Tally): Connection {
  let next = 0;
  let sentAt = 0;
  let isClosed = false;
  const socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true });
  const send = (): void => {
    const request = requests[next % requests.length];
    next += 1;
    sentAt = performance.now();
    if (request !== undefined) transmit(socket, request);
  };
  const fail = (): void => {
    if (!isClosed) tally.errors += 1;
    isClosed = true;
    socket.destroy();
  };
  const onResponse = (status: number): void => {
    if (isClosed) return;
    tally.latenciesMs.push(performance.now() - sentAt);
    if (status >= 200 && status <= 299) tally.responses += 1;
    else tally.errors += 1;
    send();
  };
  socket.on('connect', send).on('data', responseReader(onResponse, fail)).on('error', fail).on('close', fail);
  return {
    close: () => {
      isClosed = true;
      socket.destroy();
    },
  };
}

function transmit(socket: Socket, { bytes, freshAt }: WireRequest): void {
  if (freshAt !== undefined) bytes.write(randomUUID(), freshAt, 'latin1');
  socket.write(bytes);
}

/** Finds the end of each response by its Content-Length. */
function responseReader(onResponse: (status: number) => void, onUnreadable: () => void): (chunk: Buffer) => void {
  let head = '';
  let status = 0;
  let bytesLeft = 0;
  return (chunk) => {
    if (bytesLeft > 0) bytesLeft -= chunk.length;
    else {
      head += chunk.toString('latin1');
      const end = head.indexOf(endOfHead);
      if (end === -1) return;
      const length = lengthLine.exec(head)?.[1];
      status = Number(statusLine.exec(head)?.[1]);
      if (length === undefined || Number.isNaN(status)) {
        onUnreadable();
        return;
      }
      bytesLeft = Number(length) - (head.length - end - endOfHead.length);
      head = '';
    }
    if (bytesLeft === 0) onResponse(status);
    if (bytesLeft < 0) onUnreadable();
  };
}
