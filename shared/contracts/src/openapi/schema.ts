import { z } from 'zod';
import { mapValues, withTypes } from './with-types.js';

export type JsonSchema = z.core.JSONSchema.BaseSchema;
export type JsonObject = Readonly<Record<string, unknown>>;

/** A schema in JSON, and the schemas with a name of their own (`.meta({ id })`) that it refers to. */
export type DescribedSchema = { readonly schema: JsonSchema; readonly named: Readonly<Record<string, JsonSchema>> };

/** Requests are described as they are sent, answers as they are received. */
export type Direction = 'request' | 'response';

const namedPrefix = '#/components/schemas/';

export function describeShape(shape: z.ZodType, direction: Direction): DescribedSchema {
  const {
    $schema,
    $defs = {},
    ...schema
  } = z.toJSONSchema(shape, {
    io: direction === 'request' ? 'input' : 'output',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => tidy(jsonSchema, direction),
  });
  return { schema: withTypes(withReferences(schema)), named: mapValues(withReferences($defs), withTypes) };
}

/** The name a reference leads to, for schemas that are nothing but a reference. */
export function referredName(schema: JsonSchema): string | undefined {
  return schema.$ref?.startsWith(namedPrefix) === true ? schema.$ref.slice(namedPrefix.length) : undefined;
}

export function referenceTo(name: string): JsonSchema {
  return { $ref: `${namedPrefix}${name}` };
}

function tidy(schema: JsonSchema, direction: Direction): void {
  if ('example' in schema) {
    schema.examples = [schema['example']];
    delete schema['example'];
  }
  // Known to the one place that maps spellings; to a reader of the schema it would be an unknown keyword.
  delete schema['aliases'];
  // A named format says it all; the pattern behind it is hard to read and differs between languages.
  if (schema.format !== undefined) delete schema.pattern;
  // Every whole number in JSON has these bounds; saying so tells nobody anything.
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  // Answers may gain fields within a version, so a generated client must not refuse them.
  if (direction === 'response' && schema.additionalProperties === false) delete schema.additionalProperties;
}

function withReferences<T extends object>(schemas: T): T {
  const text = JSON.stringify(schemas).replaceAll('"#/$defs/', `"${namedPrefix}`);
  return JSON.parse(text) as T;
}
