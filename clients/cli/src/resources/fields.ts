import { z } from 'zod';

/** A field of a query or of a body, as an option of a command. */
export type Field = {
  readonly name: string;
  /** `--buyer-id` of `buyerId`. */
  readonly flag: string;
  readonly kind: 'text' | 'flag' | 'number' | 'list' | 'json';
  readonly isRequired: boolean;
  readonly description: string;
  /** If only these values are allowed. */
  readonly choices: readonly string[];
  readonly example: unknown;
};

const fieldSchema = z.looseObject({
  type: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  description: z.string().optional(),
  example: z.unknown().optional(),
  anyOf: z.array(z.looseObject({ type: z.string().optional() })).optional(),
  items: z.looseObject({ type: z.string().optional() }).optional(),
});
type FieldSchema = z.output<typeof fieldSchema>;
const objectSchema = z.looseObject({
  properties: z.record(z.string(), fieldSchema).default({}),
  required: z.array(z.string()).default([]),
});

/** The fields of a declared shape. Empty for one that is not an object. */
export function fieldsOf(shape: z.ZodType): readonly Field[] {
  const schema = z.toJSONSchema(shape, { io: 'input', unrepresentable: 'any' });
  const { properties, required } = objectSchema.parse(schema);
  return Object.entries(properties).map(([name, field]) => ({
    name,
    flag: `--${kebabCase(name)}`,
    kind: kindOf(field),
    isRequired: required.includes(name),
    description: (field.description ?? '').replaceAll('`', ''),
    choices: (field.enum ?? []).map(String),
    example: field.example,
  }));
}

const kinds: Readonly<Record<string, Field['kind']>> = {
  string: 'text',
  boolean: 'flag',
  integer: 'number',
  number: 'number',
  object: 'json',
};

function kindOf({ type, anyOf = [], items }: FieldSchema): Field['kind'] {
  if (type === 'array') return items?.type === 'object' ? 'json' : 'list';
  const named = type ?? anyOf.find((each) => each.type !== 'null')?.type;
  return (named === undefined ? undefined : kinds[named]) ?? 'json';
}

/** `buyerId` as `buyer-id`. */
export function kebabCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll('_', '-');
}
