import type { MessageDeclaration } from '@holdfast/shared/contracts/messages';
import type { Saga, SagaStep } from '@holdfast/shared/sagas';
import { code, codeBlock, generatedNotice, page, table } from './markdown.js';

/** One drawing and one table per saga, from the same tables that the services' consumers are checked against. */
export function sagasPage(sagas: readonly Saga[]): string {
  return page(
    generatedNotice,
    '# Sagas',
    'How an operation travels through the services. Nobody conducts it: each step acts on a message and tells the next one, in one commit with its effect. Dashed arrows are what is told when a step did not work.',
    ...sagas.map(section),
  );
}

function section({ name, summary, steps }: Saga): string {
  return [
    `## ${name}`,
    summary,
    codeBlock('mermaid', ['sequenceDiagram', ...participants(steps), ...steps.flatMap((step) => drawn(step, steps))].join('\n')),
    table(['Who', 'Upon', 'Does', 'Tells', 'Or else', ''], steps.map(row)),
  ].join('\n\n');
}

function participants(steps: readonly SagaStep[]): readonly string[] {
  return [...new Set(steps.map(({ by }) => by))].map((name) => `  participant ${name}`);
}

/** A note for what the step does, then an arrow to everyone in the saga who acts on what it tells. */
function drawn({ by, does, ends, tells = [], orElse = [] }: SagaStep, steps: readonly SagaStep[]): readonly string[] {
  const arrows = (messages: readonly MessageDeclaration[], arrow: string): readonly string[] =>
    messages.flatMap(({ type }) =>
      steps.filter(({ on }) => on?.type === type).map((next) => `  ${by}${arrow}${next.by}: ${type}`),
    );
  const end = ends === undefined ? '' : ` (${ends})`;
  return [`  Note over ${by}: ${does}${end}`, ...arrows(tells, '->>'), ...arrows(orElse, '-->>')];
}

function row({ by, on, does, tells = [], orElse = [], ...rest }: SagaStep): readonly string[] {
  return [by, on === undefined ? 'what comes from outside' : code(on.type), does, types(tells), types(orElse), remarks(rest)];
}

function types(messages: readonly MessageDeclaration[]): string {
  return messages.map(({ type }) => code(type)).join(', ');
}

function remarks({
  isCompensation,
  isPointOfNoReturn,
  ends,
}: Pick<SagaStep, 'isCompensation' | 'isPointOfNoReturn' | 'ends'>): string {
  return [
    ...(isPointOfNoReturn === true ? ['point of no return'] : []),
    ...(isCompensation === true ? ['undoes'] : []),
    ...(ends === undefined ? [] : [ends]),
  ].join(', ');
}
