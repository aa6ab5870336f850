import { Argument, type Command } from 'commander';
import { example, outputOf, type Context } from '../context.js';
import { collectParam } from '../parse.js';
import { clientOf } from '../resources/client.js';
import { sandboxOf } from '../sandbox/add-sandbox.js';
import type { Flow } from './flow.js';
import { deposit, topupSucceeded, withdrawalCompleted } from './money.js';
import { disputeResolved, orderRefunded, orderReleased } from './orders.js';

const flows: Readonly<Record<string, Flow>> = {
  'order.released': orderReleased,
  'order.refunded': orderRefunded,
  'dispute.resolved': disputeResolved,
  'topup.succeeded': topupSucceeded,
  'withdrawal.completed': withdrawalCompleted,
  deposit,
};

type Flags = { readonly param?: Readonly<Record<string, string>> };

export function addTrigger(program: Command, context: Context): void {
  const trigger = program
    .command('trigger')
    .summary('play everything that leads to an event, on the sandbox')
    .description(
      'Play everything that leads to an event, on the sandbox, with your own users, order or dispute where you name them.',
    )
    .addArgument(new Argument('<event>', 'what shall happen').choices(Object.keys(flows)))
    .option('--param <name=value>', 'a value of the flow; you can repeat the option', collectParam)
    .option(
      '--sandbox <url>',
      'the address of the sandbox; by default HOLDFAST_SANDBOX, or the sandbox of the platform on the data folder',
    )
    .addHelpText('after', `\nEvents:\n${Object.entries(flows).map(textOf).join('\n')}`);
  example(
    trigger,
    'holdfast trigger order.released',
    'holdfast trigger dispute.resolved --param decision=SPLIT --param buyer=usr_… --param amount=80.00',
  ).action(async (name: string, { param: params = {} }: Flags, command: Command) => {
    const flow = flows[name];
    if (flow === undefined) return command.error(`error: there is no event "${name}".`);
    const unknown = Object.keys(params).find((each) => !flow.params.includes(each));
    if (unknown !== undefined) command.error(`error: ${name} has no parameter "${unknown}"; it has ${flow.params.join(', ')}.`);
    const output = outputOf(command);
    const step = (what: string, id: string, status: string): void => output.note(`  ${what.padEnd(stepWidth)}  ${id}  ${status}`);
    const sandbox = sandboxOf(context, command);
    const client = await clientOf(context, command);
    output.record(await flow.play({ client, sandbox, params, step }));
  });
}

const stepWidth = 10;

function textOf([name, { description, params }]: readonly [string, Flow]): string {
  return `  ${name.padEnd(22)}${description}\n  ${''.padEnd(22)}params: ${params.join(', ')}`;
}
