/** JSON has no bigint, so it is encoded as an object with this field. */
const numberField = '$n';

export function encodeLine(value: unknown): string {
  return JSON.stringify(encodable(value));
}

/** Copies only objects that contain a bigint, because the replacer function of JSON.stringify is slower. */
function encodable(value: unknown): unknown {
  if (typeof value === 'bigint') return { [numberField]: value.toString() };
  if (Array.isArray(value)) return value.map(encodable);
  if (!isObject(value)) return value;
  let copy: Record<string, unknown> | undefined;
  for (const field in value) {
    const encoded = encodable(value[field]);
    if (encoded === value[field]) continue;
    copy ??= { ...value };
    copy[field] = encoded;
  }
  return copy ?? value;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

export function decodeLine(line: string): unknown {
  return JSON.parse(line, (_key, inner: unknown) => (isEncodedNumber(inner) ? BigInt(inner[numberField]) : inner));
}

function isEncodedNumber(value: unknown): value is { readonly [numberField]: string } {
  return typeof value === 'object' && value !== null && numberField in value && typeof value[numberField] === 'string';
}
