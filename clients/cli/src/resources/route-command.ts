import { Argument, Option, type Command } from 'commander';
import type { RouteDeclaration } from '@holdfast/contracts/http';
import { example } from '../context.js';
import { collectList, parseCount, parseJson } from '../parse.js';
import { fieldsOf, kebabCase, type Field } from './fields.js';
import type { Group } from './groups.js';

/** What a person has given to the command of a route. */
export type RouteInput = {
  readonly params: readonly string[];
  /** Empty if the route takes nothing. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly takesInput: boolean;
  /** How many records a list shows at most. */
  readonly limit: number;
};

export type Act = (given: RouteInput, command: Command) => Promise<void>;

const limitDefault = 20;
/** The pages of a list are read by the SDK. */
const ofPages = ['limit', 'cursor', 'page', 'as_of'];

/** The command of a resource, and what it says about its own commands. */
export type GroupCommand = { readonly command: Command; readonly group: Pick<Group, 'defaultMethod' | 'argumentFields'> };

/** Adds the command of a route: `orders.createEscrow` as `orders create-escrow <id>`, with an option for each field. */
export function addRouteCommand({ command: parent, group }: GroupCommand, route: RouteDeclaration, act: Act): Command {
  const { defaultMethod, argumentFields = [] } = group;
  const [, method = ''] = route.name.split('.');
  const isList = route.success.list === true;
  const params = fieldsOf(route.params);
  const all = [...fieldsOf(route.query), ...fieldsOf(route.body)]
    .filter(({ name }) => !isList || !ofPages.includes(name))
    // The SDK repeats an id of the path where a body wants it.
    .filter(({ name }) => !params.some((param) => param.name === name));
  const given = all.filter(({ name }) => argumentFields.includes(name));
  const fields = all.filter((field) => !given.includes(field));
  const command = parent
    .command(kebabCase(method), { isDefault: method === defaultMethod })
    .summary(lowerFirst(route.summary))
    .description(descriptionOf(route));
  for (const { name, description } of [...params, ...given]) command.addArgument(new Argument(`<${name}>`, description));
  for (const field of fields) command.addOption(optionOf(field));
  if (fields.length > 0) command.option('-d, --data <json>', 'fields as a JSON object; options win over it', parseJson);
  if (isList) command.option('--limit <number>', 'at most this many records', parseCount, limitDefault);
  example(command, exampleOf(parent.name(), command.name(), [[...params, ...given], fields]));
  return command.action(async (...typed: readonly unknown[]) => {
    const texts = typed.slice(0, params.length).map(String);
    const named = given.map(({ name }, index) => [name, String(typed[params.length + index])] as const);
    const malformed = malformedParam(route, params, texts);
    if (malformed !== undefined) return command.error(`error: ${malformed}`);
    const options = command.opts<Options>();
    const input = { ...inputOf(command, fields, options), ...Object.fromEntries(named) };
    const limit = typeof options['limit'] === 'number' ? options['limit'] : limitDefault;
    await act({ params: texts, input, takesInput: all.length > 0 || isList, limit }, command);
  });
}

function lowerFirst(text: string): string {
  return `${text.slice(0, 1).toLowerCase()}${text.slice(1)}`;
}

function descriptionOf({ summary, description }: RouteDeclaration): string {
  return description === undefined ? `${summary}.` : `${summary}. ${description.replaceAll('`', '')}`;
}

function optionOf({ flag, kind, isRequired, description, choices }: Field): Option {
  const remark = [description, isRequired ? '(required)' : ''].filter((text) => text !== '').join(' ');
  if (kind === 'flag') return new Option(flag, remark);
  if (kind === 'list') return new Option(`${flag} <values>`, `${remark}; with commas between them`).argParser(collectList);
  if (kind === 'json') return new Option(`${flag} <json>`, `${remark}; as JSON`).argParser(parseJson);
  const option = new Option(`${flag} <${kind === 'number' ? 'number' : 'value'}>`, remark);
  if (choices.length > 0) return option.choices([...choices]);
  return kind === 'number' ? option.argParser(parseCount) : option;
}

/** A malformed id is refused here, with what it should look like. */
function malformedParam(route: RouteDeclaration, params: readonly Field[], texts: readonly string[]): string | undefined {
  const given = Object.fromEntries(params.map(({ name }, index) => [name, texts[index]]));
  const { error } = route.params.safeParse(given);
  const name = error?.issues[0]?.path[0];
  const param = params.find((each) => each.name === name);
  if (param === undefined) return undefined;
  const looksLike = typeof param.example === 'string' ? ` It looks like ${param.example}.` : '';
  return `"${String(given[param.name])}" is not a valid <${param.name}>.${looksLike}`;
}

type Options = Readonly<Record<string, unknown>>;

function inputOf(command: Command, fields: readonly Field[], options: Options): Readonly<Record<string, unknown>> {
  const { data = {} } = options;
  if (typeof data !== 'object' || data === null || Array.isArray(data)) command.error('error: --data must be a JSON object.');
  const given = fields.flatMap(({ name, flag }) => {
    const value = options[attributeOf(flag)];
    return value === undefined ? [] : [[name, value] as const];
  });
  const input = { ...data, ...Object.fromEntries(given) };
  const missing = fields.filter(({ name, isRequired }) => isRequired && !(name in input)).map(({ flag }) => flag);
  if (missing.length > 0) command.error(`error: ${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} missing.`);
  return input;
}

/** Commander's name of an option: `buyerId` of `--buyer-id`. */
function attributeOf(flag: string): string {
  return new Option(flag).attributeName();
}

function exampleOf(group: string, method: string, [params, fields]: readonly [readonly Field[], readonly Field[]]): string {
  const options = fields.filter(({ isRequired, name }) => isRequired || name === 'status').slice(0, 6);
  const values = options.flatMap(({ flag, example: value, choices, kind }) => {
    const shown = value ?? choices[0];
    if (kind === 'flag') return [flag];
    return shown === undefined ? [] : [`${flag} ${argumentOf(shown, kind)}`];
  });
  const ids = params.map(({ name, example: value }) => (typeof value === 'string' ? value : `<${name}>`));
  return ['holdfast', group, method, ...ids, ...values].join(' ');
}

function argumentOf(value: unknown, kind: Field['kind']): string {
  if (kind === 'list' && Array.isArray(value)) return value.map(String).join(',');
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return /^[\w.:@/*-]+$/.test(text) ? text : `'${text}'`;
}
