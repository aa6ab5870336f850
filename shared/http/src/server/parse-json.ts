import { isUtf8 } from 'node:buffer';
import { AppError } from '@holdfast/kernel/errors';

/** Deeper than any declared body. */
const depthMax = 16;

export type JsonObject = Readonly<Record<string, unknown>>;

/** The object in a JSON body. An empty body needs no Content-Type and counts as an empty object. */
export function parseJsonBody(bytes: Buffer, contentType: string | undefined): JsonObject {
  if (bytes.length === 0) return {};
  if (!isJsonType(contentType)) throw new AppError('UNSUPPORTED_MEDIA_TYPE');
  if (!isUtf8(bytes)) throw invalid('the body is not valid UTF-8');
  const value = parse(bytes.toString('utf8'));
  if (!isObject(value)) throw invalid('the body must be a JSON object');
  checkNesting(value, 1);
  return value;
}

function isJsonType(contentType: string | undefined): boolean {
  if (contentType === undefined) return false;
  return contentType === 'application/json' || /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i.test(contentType);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid('the body is not valid JSON');
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Runs before any other code recurses over the body, and does not recurse beyond the limit itself. */
function checkNesting(value: object, depth: number): void {
  if (depth > depthMax) throw invalid(`the body is nested deeper than ${depthMax} levels`);
  for (const key of Object.keys(value)) {
    const inner: unknown = Reflect.get(value, key);
    if (isPrototypeKey(key, inner)) throw invalid(`the body must not have a field called ${key}`);
    if (typeof inner === 'object' && inner !== null) checkNesting(inner, depth + 1);
  }
}

/** Keys that would cause prototype pollution if later code merged the object. */
function isPrototypeKey(key: string, inner: unknown): boolean {
  if (key === '__proto__') return true;
  return key === 'constructor' && isObject(inner) && Object.hasOwn(inner, 'prototype');
}

function invalid(fault: string): AppError {
  return new AppError('VALIDATION_ERROR', { validationErrors: [fault] });
}
