import type { IncomingHttpHeaders } from 'node:http';

type AnswerSink = {
  readonly onHead: (status: number, headers: IncomingHttpHeaders) => void;
  readonly onData: (chunk: Buffer) => void;
  /** The answer is complete. Says whether its connection may carry another one. */
  readonly onEnd: (isReusable: boolean) => void;
};

/** Reads the answers that come over one connection, one after the other. Throws at whatever is not an answer. */
export type AnswerReader = {
  /** Another answer is expected. */
  readonly begin: (method: string) => void;
  readonly read: (chunk: Buffer) => void;
  /** The other side has said its last. */
  readonly end: () => void;
};

type Phase = 'over' | 'head' | 'length' | 'until close' | 'chunk size' | 'chunk' | 'end of chunk' | 'trailer';

type State = {
  readonly sink: AnswerSink;
  phase: Phase;
  method: string;
  unread: Buffer;
  bytesLeft: number;
  isReusable: boolean;
};

/** The head of an answer, or a line of its framing. */
const lineBytesMax = 64 * 1024;
const nothing = Buffer.alloc(0);

/**
 * What it takes to read HTTP/1.1 as services answer it: a length, chunks, or the end of the connection. See
 * docs/adr/0016-connections-to-services-of-our-own.md for why it is not left to a general client.
 */
export function createAnswerReader(sink: AnswerSink): AnswerReader {
  const state: State = { sink, phase: 'over', method: '', unread: nothing, bytesLeft: 0, isReusable: true };
  return {
    begin: (method) => {
      state.phase = 'head';
      state.method = method;
    },
    read: (chunk) => readChunk(state, chunk),
    end: () => {
      if (state.phase !== 'until close') throw new Error('the other side closed the connection');
      state.phase = 'over';
      sink.onEnd(false);
    },
  };
}

function readChunk(state: State, chunk: Buffer): void {
  if (state.phase === 'over') throw new Error('the other side sent more than it was asked for');
  let bytes = state.unread.length === 0 ? chunk : Buffer.concat([state.unread, chunk]);
  state.unread = nothing;
  while (bytes.length > 0 && !isOver(state)) {
    const taken = takes[state.phase](state, bytes);
    if (taken === 0) break;
    bytes = bytes.subarray(taken);
  }
  // Whatever follows an answer was not asked for, and must never be taken for the answer to the next request.
  if (isOver(state)) state.sink.onEnd(state.isReusable && bytes.length === 0);
  else if (bytes.length > lineBytesMax) throw new Error('the head of the answer is too large');
  else state.unread = bytes;
}

function isOver({ phase }: State): boolean {
  return phase === 'over';
}

/** Each takes what it understands from the front and says how much that was; nothing, where it needs more. */
const takes: Readonly<Record<Phase, (state: State, bytes: Buffer) => number>> = {
  over: () => 0,
  head: (state, bytes) => {
    const text = bytes.toString('latin1', 0, lineBytesMax);
    const end = text.indexOf('\r\n\r\n');
    if (end === -1) return 0;
    const head = parseHead(text.slice(0, end));
    if (head.status === 101) throw new Error('the other side speaks another protocol');
    if (head.status >= 200) startBody(state, head);
    return end + 4;
  },
  length: (state, bytes) => takeBody(state, bytes, 'over'),
  'until close': ({ sink }, bytes) => {
    sink.onData(bytes);
    return bytes.length;
  },
  'chunk size': (state, bytes) => {
    const end = bytes.indexOf('\r\n');
    if (end === -1) return 0;
    state.bytesLeft = chunkSizeOf(bytes.toString('latin1', 0, end));
    state.phase = state.bytesLeft === 0 ? 'trailer' : 'chunk';
    return end + 2;
  },
  chunk: (state, bytes) => takeBody(state, bytes, 'end of chunk'),
  'end of chunk': (state, bytes) => {
    if (bytes.length < 2) return 0;
    if (bytes.toString('latin1', 0, 2) !== '\r\n') throw new Error('a chunk is longer than it says');
    state.phase = 'chunk size';
    return 2;
  },
  trailer: (state, bytes) => {
    const end = bytes.indexOf('\r\n');
    if (end === 0) state.phase = 'over';
    return end === -1 ? 0 : end + 2;
  },
};

function startBody(state: State, head: Head): void {
  state.isReusable = head.isReusable;
  const framing = hasNoBody(head.status, state.method) ? over : framingOf(head.headers);
  state.phase = framing.phase;
  state.bytesLeft = framing.bytes;
  state.sink.onHead(head.status, head.headers);
}

function takeBody(state: State, bytes: Buffer, then: Phase): number {
  const taken = Math.min(bytes.length, state.bytesLeft);
  state.bytesLeft -= taken;
  if (state.bytesLeft === 0) state.phase = then;
  state.sink.onData(taken === bytes.length ? bytes : bytes.subarray(0, taken));
  return taken;
}

type Head = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly isReusable: boolean };

const statusLine = /^HTTP\/1\.[01] [1-5]\d\d(?: |\r|$)/;
const minorAt = 'HTTP/1.'.length;
const statusAt = 'HTTP/1.1 '.length;

function parseHead(text: string): Head {
  if (!statusLine.test(text)) throw new Error('the answer is not HTTP/1.1');
  const headers: Record<string, string | string[]> = {};
  let at = endOfLine(text, 0) + 2;
  while (at < text.length) {
    const end = endOfLine(text, at);
    const colon = text.indexOf(':', at);
    if (colon <= at || colon > end) throw new Error('a header of the answer has no name');
    add(headers, text.slice(at, colon).toLowerCase(), text.slice(colon + 1, end).trim());
    at = end + 2;
  }
  const isKept = text[minorAt] === '1' && String(headers['connection'] ?? '').toLowerCase() !== 'close';
  return { status: Number(text.slice(statusAt, statusAt + 3)), headers, isReusable: isKept };
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\r\n', from);
  return end === -1 ? text.length : end;
}

function add(headers: Record<string, string | string[]>, name: string, value: string): void {
  const earlier = headers[name];
  headers[name] = earlier === undefined ? value : [earlier, value].flat();
}

type Framing = { readonly phase: Phase; readonly bytes: number };

const over: Framing = { phase: 'over', bytes: 0 };
const wholeNumber = /^\d{1,15}$/;

function hasNoBody(status: number, method: string): boolean {
  return status === 204 || status === 304 || method === 'HEAD';
}

/** How the body ends. Two ways at once would be an attempt to have two parts of a chain see two different answers. */
function framingOf({ 'content-length': length, 'transfer-encoding': encoding }: IncomingHttpHeaders): Framing {
  if (encoding !== undefined) {
    if (length !== undefined || encoding !== 'chunked') throw new Error('the framing of the answer is unknown');
    return { phase: 'chunk size', bytes: 0 };
  }
  if (length === undefined) return { phase: 'until close', bytes: 0 };
  if (!wholeNumber.test(length)) throw new Error('the length of the answer is no number');
  const bytes = Number(length);
  return bytes === 0 ? over : { phase: 'length', bytes };
}

const chunkSize = /^([0-9a-f]{1,8})[ \t]*(?:;|$)/i;

function chunkSizeOf(line: string): number {
  const [, digits] = chunkSize.exec(line) ?? [];
  if (digits === undefined) throw new Error('the size of a chunk is no number');
  return Number.parseInt(digits, 16);
}
