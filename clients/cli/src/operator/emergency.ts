import type { Command } from 'commander';
import { CannotStart } from '@holdfast/all-in-one/commands';
import { example, outputOf } from '../context.js';
import { loadTools } from './load-tools.js';

type Flags = { readonly by?: string; readonly reason?: string };

const changes = {
  stop: 'stop signing and payouts everywhere; what was begun waits, new requests get 503',
  resume: 'let them continue',
} as const;

export function addEmergency(program: Command): void {
  const emergency = program.command('emergency').description('the emergency stop of signing and payouts');
  const status = emergency.command('status', { isDefault: true }).description('show whether it is on, since when and why');
  example(status, 'holdfast emergency status').action((_options, command: Command) => show(command, { command: 'status' }));
  for (const name of ['stop', 'resume'] as const) {
    const change = emergency
      .command(name)
      .description(changes[name])
      .option('--by <name>', 'the person; the audit log records the name')
      .option('--reason <text>', 'the reason; the audit log records it');
    example(change, `holdfast emergency ${name} --by Ada --reason "A wallet behaves oddly."`).action(
      async ({ by, reason }: Flags, command: Command) => {
        const { parseEmergencyOptions } = await loadTools();
        const given = Object.entries({ by, reason }).flatMap(([option, text]) =>
          text === undefined ? [] : [`--${option}=${text}`],
        );
        const options = parseEmergencyOptions([name, ...given]);
        if (typeof options === 'string')
          command.error(`error: ${options}\nnpm run emergency -- ${name} --by <name> --reason <text>`);
        else await show(command, options);
      },
    );
  }
}

type Tools = Awaited<ReturnType<typeof loadTools>>;

async function show(command: Command, options: Parameters<Tools['emergencyStop']>[0]): Promise<void> {
  const { emergencyStop, textOfStop } = await loadTools();
  const state = await emergencyStop(options);
  if (typeof state === 'string') throw new CannotStart(state);
  const output = outputOf(command);
  if (output.isJson) output.record(state);
  else output.line(textOfStop(state));
}
