import type { Moves } from '@holdfast/kernel/states';
import { codeBlock, generatedNotice, page, table } from './markdown.js';

export type StateTable = {
  readonly aggregate: string;
  readonly initial: string;
  readonly moves: Moves<string, string>;
};

/** One diagram and one table per aggregate, from the state table that the code uses. */
export function statesPage(tables: readonly StateTable[]): string {
  const sections = tables.map(section);
  const nothing = sections.length === 0 ? 'No aggregate of the services that exist so far moves between states.' : '';
  return page(generatedNotice, '# States', nothing, ...sections);
}

function section({ aggregate, initial, moves }: StateTable): string {
  const arrows = arrowsOf(moves);
  const diagram = [`  [*] --> ${initial}`, ...arrows.map(({ from, move, to }) => `  ${from} --> ${to}: ${move}`)];
  return [
    `## ${aggregate}`,
    codeBlock('mermaid', ['stateDiagram-v2', ...diagram].join('\n')),
    table(
      ['From', 'Move', 'To'],
      arrows.map(({ from, move, to }) => [from, move, to]),
    ),
  ].join('\n\n');
}

type Arrow = { readonly from: string; readonly move: string; readonly to: string };

function arrowsOf(moves: Moves<string, string>): readonly Arrow[] {
  return Object.entries(moves).flatMap(([move, { from, to }]) => from.map((state) => ({ from: state, move, to })));
}
