type Fields = Readonly<Record<string, unknown>>;

/** Shown in another place of the line, or of no use to a reader at a terminal. */
const hiddenFields = new Set(['level', 'time', 'pid', 'hostname', 'service', 'msg', 'error', 'requestId', 'trace_id', 'span_id']);
/** Levels whose lines have everything: the request id to search for, and for errors the stack. */
const detailedLevels: readonly unknown[] = ['warn', 'error'];
const valueLengthMax = 120;

/** The text of a log line on a terminal, after its time and level: service, fact, and the fields as `name=value`. */
export function terminalLine(line: Fields): string {
  const { level, service, msg, requestId, error } = line;
  const isDetailed = detailedLevels.includes(level);
  const fields = Object.entries(line).filter(([name]) => !hiddenFields.has(name));
  const shown = isDetailed ? [...fields, ['requestId', requestId] as const] : fields;
  const texts = shown.filter(([, value]) => value !== undefined).map(([name, value]) => `${name}=${textOf(value)}`);
  const head = [`${String(service)}: ${String(msg)}`, ...texts, ...causesOf(error)].join('  ');
  const stack = level === 'error' ? stackOf(error) : undefined;
  return stack === undefined ? head : `${head}\n${stack}`;
}

function textOf(value: unknown): string {
  const text = typeof value === 'string' && /^\S+$/.test(value) ? value : JSON.stringify(value);
  return text.length > valueLengthMax ? `${text.slice(0, valueLengthMax)}…` : text;
}

/** The message of an error, followed by the messages of its causes. */
function causesOf(error: unknown): readonly string[] {
  const messages: string[] = [];
  for (let cause = error; isRecord(cause); cause = cause['cause']) messages.push(String(cause['message']));
  return messages.length === 0 ? [] : [`error=${JSON.stringify(messages.join(': '))}`];
}

function stackOf(error: unknown): string | undefined {
  const stack = isRecord(error) ? error['stack'] : undefined;
  return typeof stack === 'string' ? stack : undefined;
}

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}
