/** A message of a stream of server-sent events. */
export type StreamMessage = { readonly id: string | undefined; readonly event: string; readonly data: string };

export type StreamListener = {
  readonly onMessage: (message: StreamMessage) => void;
  /** How long the server asks its clients to wait before they come back. */
  readonly onRetry?: (delayMs: number) => void;
};

const lineEnd = /\r\n|\n|\r/;

/** Takes pieces of a stream as they come, wherever they are cut. */
export function createStreamParser({ onMessage, onRetry }: StreamListener): (piece: string) => void {
  let rest = '';
  let fields = new Map<string, string>();

  const finish = (): void => {
    const data = fields.get('data');
    if (data !== undefined) onMessage({ id: fields.get('id'), event: fields.get('event') ?? 'message', data });
    fields = new Map();
  };

  const takeLine = (line: string): void => {
    if (line === '') {
      finish();
      return;
    }
    const { name, value } = fieldOf(line);
    if (name === 'retry' && /^\d+$/.test(value)) onRetry?.(Number(value));
    else if (name === 'data') fields.set(name, fields.has(name) ? `${fields.get(name) ?? ''}\n${value}` : value);
    else if (name === 'id' || name === 'event') fields.set(name, value);
  };

  return (piece) => {
    const text = rest + piece;
    // A carriage return at the very end may be the first half of a line end.
    const whole = text.endsWith('\r') ? text.slice(0, -1) : text;
    const lines = whole.split(lineEnd);
    rest = (lines.pop() ?? '') + text.slice(whole.length);
    lines.forEach(takeLine);
  };
}

function fieldOf(line: string): { readonly name: string; readonly value: string } {
  const colon = line.indexOf(':');
  if (colon === -1) return { name: line, value: '' };
  const value = line.slice(colon + 1);
  return { name: line.slice(0, colon), value: value.startsWith(' ') ? value.slice(1) : value };
}
